import { writeCrop } from '../../../assets/geometry/write-crop.ts';
import { createButton, createElement } from '../../crop-editor/create-element.ts';
import type { GivenCut } from '../../crop-editor/crop-change.ts';

interface SnippetAsset extends GivenCut {
  readonly id: number;
  /** `undefined` if the record has it. */
  readonly alt: string | undefined;
}

const names = { astro: 'Astro', markdown: 'Markdown', frontmatter: 'Frontmatter' } as const;

/** Buttons that copy an asset's source text, and a field with it if the browser doesn't allow that. */
export function createCopySnippets(options: {
  /** `undefined` if the author has to decide something first. */
  asset(): Promise<SnippetAsset | undefined>;
  announce(message: string): void;
}): HTMLElement {
  const field = createElement('textarea', { 'aria-label': 'Source text', readonly: '', rows: '5' });
  field.hidden = true;
  const buttons = (['astro', 'markdown', 'frontmatter'] as const).map((name) =>
    createButton(names[name], async () => {
      const asset = await options.asset();
      if (!asset) return;
      const text = snippets(asset)[name];
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

/** The source text of an asset in a component, in Markdown and in frontmatter. */
function snippets({ id, alt, ...cut }: SnippetAsset) {
  const names = (['crop', 'aspect', 'focus'] as const).filter((name) => cut[name] !== undefined);
  const write = (name: (typeof names)[number], syntax: 'js' | 'yaml' | 'address') => {
    const value = cut[name];
    if (typeof value === 'object') return writeCrop(value, syntax);
    return syntax === 'address' || typeof value === 'number' ? `${value}` : JSON.stringify(value);
  };
  const props = names.map((name) => {
    const value = write(name, 'js');
    return typeof cut[name] === 'string' ? ` ${name}=${value}` : ` ${name}={${value}}`;
  });
  const parameters = names.map((name) => `${name}=${write(name, 'address')}`);
  // Without a text, Markdown takes the record's.
  const query = [...parameters, ...(alt === '' ? ['decoration'] : [])].join('&');
  const lines = names.map((name) => `\n  ${name}: ${write(name, 'yaml')}`);
  const [prop, line] =
    alt === undefined ? ['', ''] : [` alt="${escapeHtml(alt)}"`, `\n  alt: ${JSON.stringify(alt)}`];
  return {
    astro: `<MediaAsset id={${id}}${props.join('')}${prop} />`,
    markdown: `![${escapeMarkdown(alt ?? '')}](media:${id}${query && `?${query}`})`,
    frontmatter: `hero:\n  id: ${id}${line}${lines.join('')}`,
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/[\\[\]`*_<&]/g, '\\$&');
}
