/** The app's own styles. `adopt-styles.ts` has those that it shares with the crop editor. */
export const appStyles = `
.media-assets {
  label, dt { padding: 0; font-size: 12px; font-weight: 600; color: var(--quiet); }
  h2 { overflow-wrap: anywhere; }
  h2:focus-visible { outline: none; }
  code { font: 12px/1.4 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
  input:is([type='radio'], [type='checkbox']) { flex: none; width: auto; min-height: 0; margin: 0; accent-color: var(--accent); }

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
  .close { width: 34px; padding: 0; border-color: transparent; font-size: 20px; line-height: 1; }
  .body { display: flex; flex: 1; flex-direction: column; min-height: 0; }
  .bar { display: flex; flex: none; gap: 10px; align-items: center; padding: 10px 16px 0; }
  .bar strong { min-width: 0; overflow: hidden; font-weight: 600; text-overflow: ellipsis; white-space: nowrap; }
  .back { min-height: 28px; padding: 0 10px; font-size: 13px; }
  .failure:not(:empty) { padding: 12px 16px 0; }
  .content { display: flex; flex: 1; flex-direction: column; min-height: 0; }
  .status { flex: none; margin: 0; padding: 8px 16px; border-top: 1px solid var(--line); color: var(--quiet); font-size: 13px; }
  .status:empty { padding: 0; border: 0; }

  .view { display: flex; flex: 1; flex-direction: column; gap: 12px; padding: 16px; overflow-y: auto; }
  .view > * { flex: none; }
  .placement { display: grid; gap: 6px; }
  .placement > div:empty { display: none; }
  .preview { display: block; width: 100%; height: 200px; border-radius: 8px; background: var(--stage); object-fit: contain; }
  button.preview { padding: 0; border: 0; cursor: zoom-in; }
  .frame { position: relative; display: block; width: min(100%, var(--most, 200px) * var(--ratio)); margin: auto; aspect-ratio: var(--ratio); overflow: clip; }
  .frame img { display: block; width: 100%; height: 100%; }
  .frame .part { position: absolute; outline: 2px solid #fff; outline-offset: -2px; box-shadow: 0 0 0 100000px #0d0e119e; }
  .frame .point { position: absolute; outline: 5px solid #4338ca; box-shadow: 0 0 0 8px #fff; }
  .zoomed { --most: 84dvh; width: 96vw; max-width: none; padding: 8px; border: 0; border-radius: 8px; background: var(--ground); color: inherit; text-align: end; }
  .zoomed .frame { margin-block-end: 8px; cursor: zoom-out; }
  .icon { display: grid; place-items: center; color: var(--quiet); font-size: 32px; }
  .actions { display: flex; gap: 8px; }
  .actions button { flex: 1; }
  .quiet { color: var(--quiet); font-size: 13px; }
  :is(.quiet, .problem):empty { display: none; }
  .empty { padding: 32px 16px; color: var(--quiet); text-align: center; }
  dl { display: grid; grid-template-columns: 92px 1fr; gap: 6px 12px; align-items: baseline; }
  :is(dd, .alts) { overflow-wrap: anywhere; }
  .source { display: grid; gap: 8px; margin-top: -8px; }
  fieldset { display: grid; gap: 6px; }
  legend { margin-bottom: 6px; }
  .uploads { display: grid; gap: 14px; }
  .uploads li { display: grid; gap: 4px; }
  .row { display: flex; gap: 8px; align-items: center; color: var(--text); font-size: 14px; font-weight: 400; overflow-wrap: anywhere; }
  .problems, .notice { display: grid; gap: 4px; padding: 10px 12px; border-radius: 8px; background: var(--warn-ground); color: var(--warn); font-size: 13px; }
  .notice.bad { border: 1px solid var(--bad); background: none; color: var(--bad); }
  .notice button { justify-self: start; margin-top: 6px; color: var(--text); }

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
  .name { overflow: hidden; font-weight: 500; text-overflow: ellipsis; white-space: nowrap; }
  .text .quiet { overflow-wrap: anywhere; }
  .problem { color: var(--warn); font-size: 13px; }
  .thumbnail { display: block; overflow: hidden; border-radius: 6px; background: var(--stage); }
  .thumbnail > * { width: 100%; height: 100%; object-fit: contain; }
  .thumbnail > img { display: block; }
  img:not([src]) { opacity: 0; }
  .preview:not([src]) { opacity: 1; }

  .library { display: flex; flex: 1; flex-direction: column; min-height: 0; }
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
  .filters { display: grid; flex: none; grid-template-columns: 1fr 1fr; gap: 8px; padding: 16px 16px 12px; }
  .filters :is(input, .primary) { grid-column: 1 / -1; }
  [aria-pressed='true']:not(.outlines *) { border-color: var(--accent); background: var(--tint); }
  .busy::before { content: ''; display: inline-block; width: 12px; height: 12px; margin-inline-end: 8px; border: 2px solid var(--line); border-block-start-color: var(--accent); border-radius: 50%; vertical-align: -1px; animation: media-assets-turn 1s linear infinite; }
  .dropping { outline: 2px dashed var(--accent); outline-offset: -6px; }
  progress { width: 100%; accent-color: var(--accent); }
  .state { flex: none; padding: 0 16px; }
  .state > * { margin-bottom: 12px; }
  .scroller[inert] { visibility: hidden; opacity: 0.4; transition: visibility 0s 150ms; }
  .scroller { flex: 1; min-height: 0; padding: 0 10px; overflow-y: auto; overscroll-behavior: contain; }
  .assets { display: grid; grid-template-columns: repeat(auto-fill, minmax(112px, 1fr)); gap: 8px 0; padding-bottom: 8px; }
  .asset { position: relative; display: flex; flex-direction: column; min-width: 0; height: 156px; padding: 6px; border-radius: 8px; cursor: pointer; content-visibility: auto; }
  [aria-multiselectable='true'] .asset[aria-selected='true'] { outline: 2px solid var(--accent); outline-offset: -2px; background: var(--tint); }
  .asset:hover { background: var(--tint); }
  .asset:focus-visible { outline-offset: -2px; }
  .asset .thumbnail { flex: none; height: 100px; margin-bottom: 4px; }
  .asset .name { font-size: 13px; }
  .badges { position: absolute; inset: 10px 10px auto; display: grid; gap: 3px; justify-items: start; max-height: 92px; overflow: hidden; }
  .asset .badges .problem { padding: 1px 5px; border-radius: 4px; background: var(--warn-ground); font-size: 11px; line-height: 1.25; white-space: normal; overflow-wrap: anywhere; }
  .asset :is(.quiet, .problem) { overflow: hidden; font-size: 12px; text-overflow: ellipsis; white-space: nowrap; }
}
@keyframes media-assets-turn { to { rotate: 1turn; } }
`;
