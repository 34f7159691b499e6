import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A usage as text, for comparing sets: `<asset id> <page URL>`. */
export type Pair = `${number} ${string}`;

/**
 * The pairs in a folder of built HTML, found with regular expressions, independently of the
 * product. Supports the pages of our test sites, not all of HTML: no stylesheets, no broken markup.
 *
 * `pageOf` returns a file's URL, or undefined for a file that doesn't count. Sorted, without
 * duplicates.
 */
export function pairsInHtml({
  dir,
  pageOf,
  serviceUrl,
}: {
  dir: string;
  pageOf: (file: string) => string | undefined;
  serviceUrl?: string;
}): Pair[] {
  const pairs = new Set<Pair>();
  for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const page = file.endsWith('.html') ? pageOf(file.replaceAll('\\', '/')) : undefined;
    if (page === undefined) continue;
    const html = readFileSync(join(dir, file), 'utf8');
    for (const id of idsInHtml(html, serviceUrl)) pairs.add(`${id} ${page}`);
  }
  return [...pairs].sort();
}

/** The IDs in a page's text, with repeats. Empty for a redirect page. */
function idsInHtml(html: string, serviceUrl?: string): number[] {
  const text = html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(title|textarea)\b[^>]*>[\s\S]*?<\/\1>/gi, '');
  if (/<meta\s+http-equiv="?refresh"?\s+content="[02];/i.test(text)) return [];
  const ids: number[] = [];
  // Remove scripts and styles first: their text isn't markup.
  const rest = text.replace(
    /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/gi,
    (_, tag: string, attributes: string, content: string) => {
      const speaks = tag.toLowerCase() === 'style' || /ld\+json/i.test(attributes);
      if (speaks) ids.push(...idsInUrls(content.replaceAll('\\/', '/'), serviceUrl));
      return `<${tag}${attributes}>`;
    },
  );
  for (const [tag] of rest.matchAll(/<[a-z](?:[^"'>]|"[^"]*"|'[^']*')*>/gi)) {
    for (const [, name = '', quoted, single, bare] of tag.matchAll(attribute)) {
      const value = decode(quoted ?? single ?? bare ?? '');
      if (name.toLowerCase() === 'data-media-asset') {
        ids.push(...value.split(/\s+/).filter(Boolean).map(Number));
      } else if (!/^(alt|title|aria-label)$/i.test(name)) {
        ids.push(...idsInUrls(value, serviceUrl));
      }
    }
  }
  return ids;
}

const attribute = /\s([^\s=>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/g;

function idsInUrls(text: string, serviceUrl: string | undefined): number[] {
  const found = [...text.matchAll(/\/media-asset\/(\d+)-[0-9a-f]{16}-[0-9a-f]{16}-/g)];
  const start = serviceUrl && `${serviceUrl.replace(/\/$/, '')}/1/file/`;
  const called = start ? text.split(start).slice(1) : [];
  return [
    ...found.map(([, id]) => Number(id)),
    ...called.flatMap((rest) => Number(/^(\d+)\/download\//.exec(rest)?.[1] ?? Number.NaN)),
  ].filter((id) => !Number.isNaN(id));
}

function decode(value: string): string {
  return value
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number(`0x${code}`)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
