/** The most bytes, and after its entities are put in the most characters, that a drawing may have. */
export const largestSvg = 5 * 1024 ** 2;

const longestDoctype = 20_000;

/** What stands before the root: declaration, processing instructions, comments. */
const prolog = /(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/y;

/**
 * The text of an SVG drawing without its document type; the entities that it declares, as drawing
 * programs do for namespaces, stand in their places. Entities of other files are not known.
 *
 * @throws an `Error` that says what is wrong with it
 */
export function svgText(bytes: Uint8Array): string {
  const text = decode(bytes);
  prolog.lastIndex = 0;
  const start = prolog.exec(text)?.[0].length ?? 0;
  if (!/^<!doctype\s/i.test(text.slice(start, start + 10))) return text;
  const end = start + lengthOfDoctype(text.slice(start, start + longestDoctype));
  const entities = entitiesOf(text.slice(start, end));
  return text.slice(0, start) + withEntities(text.slice(end), entities);
}

function decode(bytes: Uint8Array): string {
  const declared = /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(
    Buffer.from(bytes.subarray(0, 200)).toString('latin1'),
  )?.[1];
  try {
    return new TextDecoder(declared ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error(`it is not written in ${declared ?? 'UTF-8'}`, { cause });
  }
}

/** Its texts and its inner part in square brackets may hold a `>`. */
function lengthOfDoctype(text: string): number {
  let inner = false;
  for (const { 0: part, index } of text.matchAll(/"[^"]*"|'[^']*'|<!--[\s\S]*?-->|[[\]>]/g)) {
    if (part === '[') inner = true;
    else if (part === ']') inner = false;
    else if (part === '>' && !inner) return index + 1;
  }
  throw new Error('its document type is too long');
}

function entitiesOf(doctype: string): ReadonlyMap<string, string> {
  const declarations = doctype.matchAll(
    /<!ENTITY\s+([\w.-]+)\s+(?:"([^"<&%]*)"|'([^'<&%]*)')\s*>/g,
  );
  return new Map(
    Array.from(declarations, ([, name, one, other]) => [name ?? '', one ?? other ?? '']),
  );
}

function withEntities(text: string, entities: ReadonlyMap<string, string>): string {
  let length = text.length;
  return text.replace(/&([\w.-]+);/g, (reference, name: string) => {
    const value = entities.get(name);
    if (value === undefined) return reference;
    length += value.length - reference.length;
    if (length > largestSvg) throw new Error('its entities make it too large');
    return value.replaceAll('"', '&quot;').replaceAll("'", '&apos;').replaceAll('>', '&gt;');
  });
}
