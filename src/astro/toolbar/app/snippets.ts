import type { ShownProps } from '../protocol.ts';

/** An asset as source code, as in the guides. */
export interface Snippets {
  readonly astro: string;
  readonly markdown: string;
  readonly frontmatter: string;
}

type Given = Pick<ShownProps, 'crop' | 'aspect' | 'focus'> & {
  readonly id: number;
  readonly alt: string;
};

export function formatSnippets({ id, alt, crop, aspect, focus }: Given): Snippets {
  const props = Object.entries({ crop, aspect, focus }).filter(([, value]) => value !== undefined);
  const attributes = props.map(([name, value]) => ` ${name}=${attributeValue(value)}`).join('');
  const parameters = props.map(([name, value]) => `${name}=${parameterValue(value)}`).join('&');
  const lines = props.map(([name, value]) => `\n  ${name}: ${plainValue(value)}`).join('');
  const quoted = alt.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return {
    astro: `<MediaAsset id={${id}}${attributes} alt="${quoted}" />`,
    markdown: `![${alt.replaceAll(/[\\[\]]/g, '\\$&')}](media:${id}${parameters && `?${parameters}`})`,
    frontmatter: `hero:\n  id: ${id}\n  alt: ${JSON.stringify(alt)}${lines}`,
  };
}

function attributeValue(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : `{${plainValue(value)}}`;
}

function plainValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${name}: ${plainValue(one)}`);
  return `{ ${entries.join(', ')} }`;
}

/** `400,200,2400,1600`. A fraction shows by its decimal point. */
function parameterValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value)
    .filter((one) => typeof one === 'number')
    .join();
}
