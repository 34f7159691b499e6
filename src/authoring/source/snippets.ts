import { writeCrop } from '../../assets/geometry/write-crop.ts';
import type { GivenCut } from '../crop-editor/crop-change.ts';

/** An asset as an author uses it. */
export interface SnippetAsset extends GivenCut {
  readonly id: number;
  readonly alt: string;
}

/** The source text of an asset in a component, in Markdown and in frontmatter. */
export function snippets({ id, alt, ...cut }: SnippetAsset) {
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
  const query = names.map((name) => `${name}=${write(name, 'address')}`).join('&');
  const lines = names.map((name) => `\n  ${name}: ${write(name, 'yaml')}`);
  return {
    astro: `<MediaAsset id={${id}}${props.join('')} alt="${escapeHtml(alt)}" />`,
    markdown: `![${escapeMarkdown(alt)}](media:${id}${query && `?${query}`})`,
    frontmatter: `hero:\n  id: ${id}\n  alt: ${JSON.stringify(alt)}${lines.join('')}`,
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/[\\[\]`*_<&]/g, '\\$&');
}
