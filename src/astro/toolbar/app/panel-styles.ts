/** Adds the panel's styles to the app's canvas, once. */
export function adoptPanelStyles(canvas: ShadowRoot): void {
  if (canvas.adoptedStyleSheets.includes(sheet)) return;
  sheet.replaceSync(styles);
  canvas.adoptedStyleSheets.push(sheet);
}

const sheet = new CSSStyleSheet();

const styles = `
.media-asset-outlines, .media-asset-panel {
  --ground: light-dark(#fff, #17181c);
  --line: light-dark(#d9dbe3, #33353d);
  --field: light-dark(#8a8f9e, #6d717f);
  --text: light-dark(#1b1d24, #eceef4);
  --quiet: light-dark(#575c6b, #a6abba);
  --accent: light-dark(#4338ca, #a5b4fc);
  --on-accent: light-dark(#fff, #17181c);
  --bad: light-dark(#b42318, #ff9c92);
  --warn: light-dark(#7a4b00, #f5c26b);
  color-scheme: light dark;
  font: 400 14px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  color: var(--text);
  text-align: start;
}
.media-asset-outlines { position: fixed; inset: 0; pointer-events: none; }
.media-asset-outlines .outline {
  position: fixed;
  box-sizing: border-box;
  padding: 0;
  border: 2px solid var(--accent);
  border-radius: 4px;
  background: none;
  cursor: pointer;
  pointer-events: auto;
}
.media-asset-outlines .outline[hidden] { display: none; }
.media-asset-outlines .outline[aria-pressed='true'] { border-width: 4px; }
.media-asset-outlines .outline:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.media-asset-outlines .outline .label {
  position: absolute;
  inset: 0 auto auto 0;
  max-width: 100%;
  padding: 1px 6px;
  overflow: hidden;
  border-radius: 2px 0 4px 0;
  background: var(--accent);
  color: var(--on-accent);
  font: 500 12px/1.5 system-ui, sans-serif;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.media-asset-panel {
  position: fixed;
  inset: 12px 12px 72px auto;
  box-sizing: border-box;
  width: min(360px, calc(100vw - 24px));
  padding: 16px;
  overflow: auto;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--ground);
  box-shadow: 0 8px 32px rgb(0 0 0 / 0.25);

  *, ::before, ::after { box-sizing: border-box; }
  [hidden] { display: none !important; }
  header { display: flex; align-items: center; justify-content: space-between; gap: 8px; }
  h2, h3, p, ul, dl, dd { margin: 0; padding: 0; }
  h2 { font-size: 16px; font-weight: 650; }
  h3 { font-size: 15px; font-weight: 650; overflow-wrap: anywhere; }
  ul { display: grid; gap: 4px; margin: 12px 0; list-style: none; }
  li button { width: 100%; text-align: start; overflow-wrap: anywhere; }
  li button[aria-pressed='true'] { border-color: var(--accent); box-shadow: inset 3px 0 var(--accent); }
  .details { display: grid; gap: 10px; padding-top: 12px; border-top: 1px solid var(--line); }
  .details > img { max-width: 100%; max-height: 180px; border-radius: 6px; justify-self: start; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; }
  dt { color: var(--quiet); }
  dd { overflow-wrap: anywhere; }
  .warning, .sign { color: var(--warn); }
  .problem { color: var(--bad); }
  .notice { color: var(--quiet); }
  .status { margin-top: 8px; color: var(--quiet); }
  button, input, select, textarea {
    min-height: 34px;
    padding: 4px 12px;
    border: 1px solid var(--field);
    border-radius: 8px;
    background: var(--ground);
    color: inherit;
    font: inherit;
  }
  button { cursor: pointer; }
  button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
  input, select, textarea { display: block; width: 100%; padding: 4px 8px; }
  input[type='checkbox'] { display: inline-block; width: auto; min-height: 0; }
  textarea { margin-top: 8px; font: 12px/1.5 ui-monospace, monospace; resize: vertical; }
  summary { cursor: pointer; font-weight: 600; }
  form, .buttons { display: grid; gap: 8px; margin-top: 8px; }
  .check { display: flex; align-items: center; gap: 8px; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
}
`;
