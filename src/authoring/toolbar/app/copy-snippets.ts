import { createButton, createElement } from '../../crop-editor/create-element.ts';
import { type SnippetAsset, snippets } from '../../source/snippets.ts';

const names = { astro: 'Astro', markdown: 'Markdown', frontmatter: 'Frontmatter' } as const;

/** Buttons that copy an asset's source text, and a field with it if the browser doesn't allow that. */
export function createCopySnippets(options: {
  asset(): SnippetAsset;
  announce(message: string): void;
}): HTMLElement {
  const field = createElement('textarea', { 'aria-label': 'Source text', readonly: '', rows: '5' });
  field.hidden = true;
  const buttons = (['astro', 'markdown', 'frontmatter'] as const).map((name) =>
    createButton(names[name], async () => {
      const text = snippets(options.asset())[name];
      try {
        await navigator.clipboard.writeText(text);
        field.hidden = true;
        options.announce(`Copied for ${names[name]}.`);
      } catch {
        field.value = text;
        field.hidden = false;
        field.select();
        options.announce("The browser doesn't allow copying. Copy the selected text.");
      }
    }),
  );
  for (const button of buttons) button.setAttribute('aria-label', `Copy for ${button.textContent}`);
  return createElement(
    'section',
    {},
    createElement('h3', {}, 'Copy'),
    createElement('div', { class: 'actions' }, ...buttons),
    field,
  );
}
