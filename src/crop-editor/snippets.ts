import type { Crop, Focus } from '../assets/geometry/crop.ts';

/** An asset as an author uses it. */
export interface SnippetAsset {
  readonly id: number;
  readonly alt: string;
  readonly crop?: Crop | undefined;
  readonly aspect?: number | string | undefined;
  readonly focus?: Focus | undefined;
}

/** The source text of an asset in a component, in Markdown and in frontmatter. */
export function snippets(
  asset: SnippetAsset,
): Record<'astro' | 'markdown' | 'frontmatter', string> {
  const { id, alt } = asset;
  const values = [
    ['crop', asset.crop, cropParameter],
    ['aspect', asset.aspect, String],
    ['focus', asset.focus, focusParameter],
  ] as const;
  const given = values.filter(([, value]) => value !== undefined);
  const props = given.map(([name, value]) =>
    typeof value === 'string' ? `${name}="${value}"` : `${name}={${literal(value)}}`,
  );
  const query = given.map(([name, value, format]) => `${name}=${format(value as never)}`).join('&');
  const lines = given.map(([name, value]) => `\n  ${name}: ${literal(value)}`);
  return {
    astro: `<MediaAsset id={${id}} ${[...props, `alt="${escapeHtml(alt)}"`].join(' ')} />`,
    markdown: `![${escapeMarkdown(alt)}](media:${id}${query === '' ? '' : `?${query}`})`,
    frontmatter: `hero:\n  id: ${id}\n  alt: ${JSON.stringify(alt)}${lines.join('')}`,
  };
}

/** Valid in JavaScript and in YAML. */
function literal(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const text = entries.map(([name, one]) => `${name}: ${literalOf(name, one)}`);
  return `{ ${text.join(', ')} }`;
}

function literalOf(name: string, value: unknown): string {
  return name === 'unit' ? `'${value}'` : literal(value);
}

/** A decimal point in any number makes them fractions. */
function cropParameter({ x, y, width, height, unit }: Crop): string {
  const sides = [x, y, width, height].map(String);
  if (unit === 'fraction' && !sides.some((side) => /[.e]/.test(side))) sides[0] += '.0';
  return sides.join(',');
}

function focusParameter(focus: Focus): string {
  return focus === 'attention' ? focus : `${focus.x},${focus.y}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/[\\[\]`*_<&]/g, '\\$&');
}
