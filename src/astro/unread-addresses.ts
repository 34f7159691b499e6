/** An attribute of HTML that names an address of Markdown. */
const attribute = /\s(?:src|href|srcset|poster)=["']?\s*(media:\d[^"'\s>]*)/gi;

/** Markdown itself, as it comes into a feed from an entry's `body`. */
const markdown = /\]\(<?(media:\d[^\s)>]*)/gi;

const pageOrFeed = /\.(html|xml|rss|atom|json)$/;
const code = /<(code|pre)\b[\s\S]*?<\/\1>/gi;
const characterData = /<!\[CDATA\[([\s\S]*?)\]\]>/g;
const feedInXml = /<(?:rss|feed|rdf:RDF)\b/;
const feedInJson = /jsonfeed\.org\/version/;

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&#38;': '&',
  '&amp;': '&',
};

/** The addresses of Markdown in a page or a feed that nobody has made a picture of. */
export function unreadAddresses(file: string, text: string): string[] {
  if (!pageOrFeed.test(file) || !/media:\d/i.test(text)) return [];
  if (file.endsWith('.html')) return addressesIn(text, attribute);
  const html = htmlOfFeed(file, text);
  if (html === undefined) return [];
  return [...addressesIn(html, attribute), ...addressesIn(html.replace(code, ''), markdown)];
}

/** The HTML that the items of a feed hold; `undefined` for another file. */
function htmlOfFeed(file: string, text: string): string | undefined {
  if (file.endsWith('.json')) {
    return feedInJson.test(text) ? text.replace(/\\(["n])/g, jsonEscape) : undefined;
  }
  if (!feedInXml.test(text)) return undefined;
  // Every second part is character data, which holds HTML as it is.
  return text
    .split(characterData)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/&[a-z#0-9]+;/g, decodeEntity)))
    .join(' ');
}

function jsonEscape(_: string, character: string): string {
  return character === 'n' ? '\n' : character;
}

function decodeEntity(entity: string): string {
  return entities[entity] ?? entity;
}

function addressesIn(text: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), ([, address = '']) => address))];
}
