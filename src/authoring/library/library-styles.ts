/** The styles of the library and of its assets. `adopt-styles.ts` has those of the crop editor too. */
export const libraryStyles = `
.media-assets {
  label, dt { padding: 0; font-size: 12px; font-weight: 600; color: var(--quiet); }
  h2 { overflow-wrap: anywhere; }
  h2:focus-visible { outline: none; }
  code { font: 12px/1.4 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
  input:is([type='radio'], [type='checkbox']) { flex: none; width: auto; min-height: 0; margin: 0; accent-color: var(--accent); }
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
  .icon { display: grid; place-items: center; color: var(--quiet); font-size: 32px; }
  .actions { display: flex; gap: 8px; }
  .actions button { flex: 1; }
  .quiet { color: var(--quiet); font-size: 13px; }
  :is(.quiet, .problem):empty { display: none; }
  .empty { padding: 32px 16px; color: var(--quiet); text-align: center; }
  dl { display: grid; grid-template-columns: 92px 1fr; gap: 6px 12px; align-items: baseline; }
  :is(dd, .alts) { overflow-wrap: anywhere; }
  .row { display: flex; gap: 8px; align-items: center; color: var(--text); font-size: 14px; font-weight: 400; overflow-wrap: anywhere; }
  .problems, .notice { display: grid; gap: 4px; padding: 10px 12px; border-radius: 8px; background: var(--warn-ground); color: var(--warn); font-size: 13px; }
  .notice.bad { border: 1px solid var(--bad); background: none; color: var(--bad); }
  .notice button { justify-self: start; margin-top: 6px; color: var(--text); }
  .name { overflow: hidden; font-weight: 500; text-overflow: ellipsis; white-space: nowrap; }
  .problem { color: var(--warn); font-size: 13px; }
  .thumbnail { display: block; overflow: hidden; border-radius: 6px; background: var(--stage); }
  .thumbnail > * { width: 100%; height: 100%; object-fit: contain; }
  .thumbnail > img { display: block; }
  img:not([src]) { opacity: 0; }
  .preview:not([src]) { opacity: 1; }
  .library { display: flex; flex: 1; flex-direction: column; min-height: 0; }
  .filters { display: grid; flex: none; grid-template-columns: 1fr 1fr; gap: 8px; padding: 16px 16px 12px; }
  .filters :is(input, .primary) { grid-column: 1 / -1; }
  .busy::before { content: ''; display: inline-block; width: 12px; height: 12px; margin-inline-end: 8px; border: 2px solid var(--line); border-block-start-color: var(--accent); border-radius: 50%; vertical-align: -1px; animation: media-assets-turn 1s linear infinite; }
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
