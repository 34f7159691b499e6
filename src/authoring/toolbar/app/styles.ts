/** The toolbar's own styles. Pickers share the others: `library-styles.ts`. */
export const appStyles = `
.media-assets {
  .outlines { position: fixed; inset: 0; overflow: clip; pointer-events: none; }
  .outlines button {
    position: absolute;
    inset: 0 auto auto 0;
    min-height: 0;
    padding: 0;
    border: 0;
    border-radius: 4px;
    background: none;
    outline: 2px solid #6366f1;
    outline-offset: -2px;
    box-shadow: inset 0 0 0 3px #fffc;
    pointer-events: auto;
    transition: none;
  }
  .outlines button.has-problems { outline-color: #b45309; }
  .outlines button:is(:hover, [aria-pressed='true']) { outline-width: 3px; }
  .outlines button:focus-visible { outline: 4px solid #4338ca; }
  .label {
    position: absolute;
    inset: 6px auto auto 6px;
    display: block;
    max-width: calc(100% - 12px);
    padding: 2px 8px;
    overflow: hidden;
    border-radius: 6px;
    background: #17181c;
    color: #fff;
    font-size: 12px;
    font-weight: 400;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .label .warning { display: inline-block; width: 15px; margin-inline: -3px 5px; border-radius: 50%; background: #f5c26b; color: #17181c; font-weight: 700; line-height: 15px; text-align: center; }
  .outlines .gap:is(*, :focus-visible) { outline: none; box-shadow: none; }
  .gap::before { content: ''; position: absolute; inset: 11px 0 auto; height: 2px; border-radius: 2px; background: #6366f1; box-shadow: 0 0 0 1px #fffc; }
  .gap:is(:hover, :focus-visible)::before { inset-block-start: 9px; height: 6px; background: #4338ca; }
  .gap::after { content: '+'; position: absolute; inset: 1px auto auto 4px; width: 22px; border-radius: 50%; background: #4338ca; box-shadow: 0 0 0 1px #fffc; color: #fff; font-size: 18px; line-height: 22px; }
  .gap .label { inset: 0 auto auto 32px; max-width: calc(100% - 40px); }
  .gap:not(:hover, :focus-visible) .label { display: none; }

  .panel {
    position: fixed;
    inset: 12px 12px 12px auto;
    display: flex;
    flex-direction: column;
    width: min(420px, calc(100vw - 24px));
    overflow: hidden;
    border: 1px solid var(--line);
    border-radius: 14px;
    background: var(--ground);
    box-shadow: 0 12px 40px #0004;
  }
  .panel.left { inset-inline: 12px auto; }
  .panel > header { display: flex; flex: none; align-items: center; justify-content: space-between; padding: 10px 12px; border-bottom: 1px solid var(--line); }
  .panel:has(.gaps) { bottom: auto; }
  /* Astro's own toolbar is at the bottom, in the middle. */
  @media (width < 1160px) { .panel { bottom: 72px; } }
  @media (width < 700px) { .panel:has(.gaps) { inset-block: auto 72px; } }
  .panel > header span { display: flex; }

  button.preview { padding: 0; border: 0; cursor: zoom-in; }
  .frame { position: relative; display: block; width: min(100%, var(--most, 200px) * var(--ratio)); margin: auto; aspect-ratio: var(--ratio); overflow: clip; }
  .frame img { display: block; width: 100%; height: 100%; }
  .frame .part { position: absolute; outline: 2px solid #fff; outline-offset: -2px; box-shadow: 0 0 0 100000px #0d0e119e; }
  .frame .point { position: absolute; outline: 5px solid #4338ca; box-shadow: 0 0 0 8px #fff; }
  .zoomed { --most: 84dvh; width: 96vw; max-width: none; padding: 8px; border: 0; border-radius: 8px; background: var(--ground); color: inherit; text-align: end; }
  .zoomed .frame { margin-block-end: 8px; cursor: zoom-out; }
  .source { display: grid; gap: 8px; margin-top: -8px; }
  fieldset { display: grid; gap: 6px; }
  legend { margin-bottom: 6px; }
  .uploads { display: grid; gap: 14px; }
  .uploads li { display: grid; gap: 4px; }

  .alt { display: grid; grid-template-columns: 1fr auto; gap: 4px 10px; align-items: center; padding: 0 8px 8px; }
  .view > .alt { padding: 0; }
  .alt > :not(input, label) { grid-column: 1 / -1; }
  .alt > div:empty { display: none; }
  .saves, .save { display: grid; gap: 8px; }
  .save { padding-block-end: 12px; border-block-end: 1px solid var(--line); }
  .save button { justify-self: start; }
  pre { max-height: 160px; margin: 0; padding: 8px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; border-radius: 8px; background: var(--stage); font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace; }
  del { color: var(--bad); text-decoration: none; }
  ins { color: var(--text); font-weight: 600; text-decoration: none; }
  .images { display: grid; gap: 6px; margin-inline: -8px; }
  .image { display: flex; gap: 12px; width: 100%; padding: 8px; border-color: transparent; text-align: start; font-weight: 400; }
  .image .thumbnail { flex: none; width: 84px; height: 60px; }
  .text { display: grid; align-content: center; min-width: 0; }
  .text .quiet { overflow-wrap: anywhere; }

  /* At 400 %, a list of its own would be a line high. */
  @media (height < 480px) {
    .body { overflow-y: auto; }
    .body :is(.content, .library, .scroller) { flex: none; overflow: visible; }
    .panel { inset-block: 4px; }
  }
  @media (forced-colors: active) {
    .gap::before { background: Highlight; }
    .gap::after { background: Canvas; color: CanvasText; }
    .outlines button { outline-color: Highlight; }
  }
  [aria-pressed='true']:not(.outlines *) { border-color: var(--accent); background: var(--tint); }
  .dropping { outline: 2px dashed var(--accent); outline-offset: -6px; }
  progress { width: 100%; accent-color: var(--accent); }
}
`;
