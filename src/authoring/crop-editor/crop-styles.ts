/** The crop editor's own styles. The toolbar and pickers share the others: `adopt-styles.ts`. */
export const cropStyles = `
.media-asset-crop {
  position: fixed;
  inset: 0;
  box-sizing: border-box;
  width: 100vw;
  max-width: none;
  height: 100dvh;
  max-height: none;
  margin: 0;
  padding: 0;
  border: 0;
  overflow: hidden;
  flex-direction: column;
  background: var(--ground);

  &[open] { display: flex; }
  button { white-space: nowrap; }

  .head {
    display: flex;
    flex: none;
    gap: 12px 20px;
    align-items: center;
    padding: 10px 16px;
    border-bottom: 1px solid var(--line);
  }
  .finish { display: flex; gap: 8px; margin-inline-start: auto; }

  .tabs { min-width: 0; padding: 3px; overflow-x: auto; }
  .part-image { display: inline-block; margin: 4px 8px 4px 0; border-radius: 2px; vertical-align: middle; }
  .tabs button {
    flex: 0 1 auto;
    min-width: 72px;
    max-width: 240px;
    overflow: hidden;
    text-overflow: ellipsis;
  }

  .failure { flex: none; padding: 10px 16px; border-bottom: 1px solid var(--line); color: var(--bad); font-weight: 500; }
  .body { display: grid; flex: 1; grid-template: minmax(0, 1fr) / minmax(0, 1fr) 320px; min-height: 0; }

  .stage { display: flex; min-width: 0; min-height: 0; padding: 32px; background: var(--stage); }
  .frame { position: relative; flex: none; margin: auto; touch-action: none; user-select: none; cursor: crosshair; }
  .image { position: absolute; inset: 0; overflow: hidden; box-shadow: 0 1px 4px #0003; }
  .image img { display: block; width: 100%; height: 100%; max-width: none; object-fit: fill; pointer-events: none; }
  .shade, .area { position: absolute; inset: 0 auto auto 0; box-shadow: 0 0 0 100000px #0d0e119e; pointer-events: none; }
  .area { outline: 2px dashed #fff; box-shadow: 0 0 0 2px #0007; }

  .box { --grip: 32px; position: absolute; inset: 0 auto auto 0; cursor: move; outline: 1px solid #fff; box-shadow: 0 0 0 2px #0007; }
  .box:focus-visible { outline: 2px solid #fff; outline-offset: 0; box-shadow: 0 0 0 5px #4338ca; }
  .box::before, .box::after { content: ''; position: absolute; pointer-events: none; border: 0 solid #fff8; opacity: 0; transition: opacity 120ms; }
  .box::before { inset: 33.333% 0; border-block-width: 1px; }
  .box::after { inset: 0 33.333%; border-inline-width: 1px; }
  .box:active::before, .box:active::after, .box:focus-visible::before, .box:focus-visible::after { opacity: 1; }
  .box.still { cursor: inherit; }
  .still .handle { display: none; }

  /* A handle is centered on its edge, or next to the corner of a small crop. */
  .handle { --out: calc(var(--grip) / -2); position: absolute; display: grid; place-items: center; width: var(--grip); height: var(--grip); }
  .handle::before { content: ''; width: 12px; height: 12px; border: 1px solid #0009; border-radius: 3px; background: #fff; }
  .handle:is([data-handle='n'], [data-handle='s']) { left: calc(50% + var(--out)); cursor: ns-resize; }
  .handle:is([data-handle='n'], [data-handle='s'])::before { width: 22px; height: 7px; }
  .handle:is([data-handle='e'], [data-handle='w']) { top: calc(50% + var(--out)); cursor: ew-resize; }
  .handle:is([data-handle='e'], [data-handle='w'])::before { width: 7px; height: 22px; }
  .handle[data-handle^='n'] { top: var(--out); }
  .handle[data-handle^='s'] { bottom: var(--out); }
  .handle[data-handle$='w'] { left: var(--out); }
  .handle[data-handle$='e'] { right: var(--out); }
  .handle:is([data-handle='nw'], [data-handle='se']) { cursor: nwse-resize; }
  .handle:is([data-handle='ne'], [data-handle='sw']) { cursor: nesw-resize; }
  .small { --grip: 24px; }
  .small .handle { --out: calc(2px - var(--grip)); }
  .small .handle:is([data-handle='n'], [data-handle='e'], [data-handle='s'], [data-handle='w']) { display: none; }

  .focus-point {
    position: absolute;
    inset: -18px auto auto -18px;
    width: 36px;
    height: 36px;
    border: 3px solid #fff;
    border-radius: 50%;
    background: radial-gradient(circle, #fff 0 3px, #4338ca 3.5px 6px, #0000 6.5px);
    box-shadow: 0 0 0 1.5px #0009, inset 0 0 0 1.5px #0009;
    cursor: grab;
  }
  .focus-point:active { cursor: grabbing; }
  .focus-point:focus-visible { outline: 3px solid #4338ca; outline-offset: 1px; }

  .panel { display: flex; flex-direction: column; gap: 20px; padding: 20px; border-inline-start: 1px solid var(--line); overflow-y: auto; }
  .hint { color: var(--quiet); font-size: 13px; }
  .panel > .hint { margin-top: -10px; }

  .choice { position: relative; display: block; cursor: pointer; }
  .choice input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
  .choice span { display: flex; gap: 7px; align-items: center; justify-content: center; min-height: 32px; padding: 0 10px; border-radius: 7px; }
  .choice:has(:focus-visible) span { outline: 2px solid var(--accent); outline-offset: 2px; }
  .methods { display: grid; grid-template-columns: 2fr 3fr; padding: 3px; border-radius: 10px; background: var(--stage); font-size: 13px; font-weight: 500; }
  .methods legend { position: absolute; }
  .methods .choice span { padding: 0 4px; white-space: nowrap; }
  .methods :checked + span { background: light-dark(#fff, #2b2e4a); color: var(--accent); box-shadow: 0 1px 2px #0003; }
  .choices { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 6px; font-size: 13px; }
  .choices .choice span { border: 1px solid var(--line); }
  .choices .choice:hover span { border-color: var(--field); }
  .choices :checked + span { border-color: var(--accent); background: var(--tint); color: var(--accent); font-weight: 600; }
  .sign { flex: none; height: 11px; min-width: 3px; max-width: 20px; border: 1.5px solid currentColor; border-radius: 2px; }
  .sign.free { border-style: dashed; }

  input { font-variant-numeric: tabular-nums; }
  .numbers { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 8px; }
  .numbers label { font-size: 13px; color: var(--quiet); }
  .numbers label span { display: block; margin-bottom: 3px; }
  .numbers input { appearance: textfield; }
  .numbers ::-webkit-inner-spin-button { display: none; }

  .actions { display: flex; flex-wrap: wrap; gap: 6px; }
  .actions button { flex: 1 1 auto; min-height: 32px; padding: 0 6px; font-size: 13px; }

  .preview-ground { display: grid; place-items: center; min-height: 60px; padding: 4px; border-radius: 8px; background: var(--stage); }
  .preview-image { border-radius: 2px; }
  .preview-sizes { margin-top: 8px; color: var(--quiet); font-size: 13px; font-variant-numeric: tabular-nums; }
  .note { margin-top: 8px; padding: 8px 10px; border-radius: 8px; background: var(--warn-ground); color: var(--warn); font-size: 13px; }

  .shape-list ul { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
  .shape-list li { display: grid; grid-template-rows: 88px; align-content: start; align-items: end; font-size: 13px; overflow-wrap: anywhere; }

  .keys ul { display: grid; gap: 4px; color: var(--quiet); font-size: 13px; }
  kbd { padding: 1px 5px; border: 1px solid var(--line); border-radius: 5px; background: var(--stage); color: var(--text); font: inherit; font-size: 12px; }

  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

  @media (max-width: 700px) {
    .head { flex-wrap: wrap; padding: 8px 12px; }
    .tabs { order: 1; width: 100%; }
    .body { display: flex; flex-direction: column; overflow-y: auto; }
    .stage { flex: none; height: 46dvh; padding: 24px; }
    .panel { flex: none; border-inline-start: 0; border-top: 1px solid var(--line); overflow: visible; }
  }
  @media (pointer: coarse) {
    .box { --grip: 44px; }
    .box.small { --grip: 32px; }
  }
  @media (forced-colors: active) {
    .handle::before { background: CanvasText; }
    .choices :checked + span, .methods :checked + span { outline: 2px solid Highlight; }
  }
}
`;
