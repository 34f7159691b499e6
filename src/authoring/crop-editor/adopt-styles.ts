/** Adds styles to the root of a host, on top of the theme. Returns what removes them. */
export function adoptStyles(host: Node, styles: string): () => void {
  const root = host.getRootNode() as Document | ShadowRoot;
  const own = [theme, styles].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  root.adoptedStyleSheets.push(...own);
  return () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => !own.includes(one));
  };
}

/** Colors, texts and controls of the toolbar and the crop editor. All other rules are stronger. */
const theme = `
:where(.media-assets, .media-asset-crop) {
  --ground: light-dark(#fff, #17181c);
  --stage: light-dark(#e8e9ee, #0d0e11);
  --line: light-dark(#d9dbe3, #33353d);
  --field: light-dark(#8a8f9e, #6d717f);
  --text: light-dark(#1b1d24, #eceef4);
  --quiet: light-dark(#575c6b, #a6abba);
  --accent: light-dark(#4338ca, #a5b4fc);
  --on-accent: light-dark(#fff, #17181c);
  --tint: light-dark(#eef0ff, #272a45);
  --bad: light-dark(#b42318, #ff9c92);
  --warn: light-dark(#7a4b00, #f5c26b);
  --warn-ground: light-dark(#fff5e0, #33280f);
  color-scheme: light dark;
  color: var(--text);
  font: 400 14px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  text-align: start;
  letter-spacing: normal;
  overflow-wrap: normal;

  &[hidden], [hidden] { display: none !important; }
  *, ::before, ::after { box-sizing: border-box; }
  h2, h3, p, ul, dl, dd, fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
  ul { list-style: none; }
  h2 { font-size: 16px; font-weight: 650; }
  h3, legend { padding: 0; margin: 0 0 8px; font-size: 12px; font-weight: 600; color: var(--quiet); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

  button {
    min-height: 34px;
    padding: 0 12px;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--ground);
    color: inherit;
    font: inherit;
    font-weight: 500;
    cursor: pointer;
    transition: background 120ms, border-color 120ms;
  }
  button[aria-disabled] { opacity: 0.5; cursor: default; }
  button:hover:not([aria-disabled]) { border-color: var(--field); background: var(--tint); }
  button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
  button.primary:hover:not([aria-disabled]) { background: color-mix(in oklab, var(--accent), var(--text) 18%); }
  .tabs { display: flex; gap: 4px; }
  .tabs button[role] { border-color: transparent; color: var(--quiet); }
  .tabs button[aria-selected='true'] { background: var(--tint); color: var(--accent); }

  input:not([type='radio']), select {
    width: 100%;
    min-width: 0;
    min-height: 34px;
    padding: 0 8px;
    border: 1px solid var(--field);
    border-radius: 8px;
    background: var(--ground);
    color: var(--text);
    font: inherit;
  }
  input::placeholder { color: var(--quiet); opacity: 1; }

  @media (pointer: coarse) {
    button, select, input:not([type='radio'], [type='checkbox']), label:has(> input), .choice span { min-height: 44px !important; min-width: 44px; }
  }
  @media (forced-colors: active) {
    .tabs button[aria-selected='true'] { border-color: Highlight; outline: 2px solid Highlight; }
  }
  @media (prefers-reduced-motion: reduce) {
    *, ::before, ::after { transition: none !important; scroll-behavior: auto !important; }
  }
}
`;
