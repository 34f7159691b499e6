import sax from 'sax';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** More than real SVGs have, and few enough to parse quickly. */
const most = { levels: 500, attributes: 500 };

const tooManyAttributes = new RegExp(
  `<[^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*){${most.attributes + 1}}`,
);

/**
 * Parses a whole SVG, and returns the attributes of its root that have no namespace. Throws an `Error`
 * that says what is wrong with the SVG.
 */
export function parseSvg(bytes: Uint8Array): ReadonlyMap<string, string> {
  const parser = sax.parser(true, { xmlns: true });
  let root: sax.QualifiedTag | undefined;
  let levels = 0;
  parser.onopentag = (opened) => {
    const tag = opened as sax.QualifiedTag;
    if (!root && (tag.local !== 'svg' || tag.uri !== svgNamespace)) {
      throw new Error("its root isn't an `svg` element in the SVG namespace");
    }
    root ??= tag;
    levels += 1;
    if (levels > most.levels) throw new Error('its elements are nested too deeply');
  };
  parser.onclosetag = () => {
    levels -= 1;
  };
  parser.onerror = ({ message }) => {
    throw new Error(`it isn't well-formed XML (${message.split('\n').join(', ')})`);
  };
  const text = svgText(bytes);
  // The parser compares each attribute with all others of its element.
  if (tooManyAttributes.test(text)) throw new Error('one of its elements has too many attributes');
  parser.write(text).close();
  if (!root) throw new Error("it's empty");
  const own = Object.values(root.attributes).filter(({ uri }) => uri === '');
  return new Map(own.map(({ local, value }) => [local, value]));
}

/** The most bytes of an SVG, and the most characters after its entities are replaced. */
export const largestSvg = 5 * 1024 ** 2;

const longestDoctype = 20_000;

/** The XML declaration, processing instructions and comments before the root. */
const prolog = /(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/y;

/**
 * The text of an SVG without its document type. Entities that it declares, as drawing programs do for
 * namespaces, are replaced by their values. External entities aren't.
 */
function svgText(bytes: Uint8Array): string {
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
    throw new Error(`it isn't valid ${declared ?? 'UTF-8'}`, { cause });
  }
}

/** Strings, comments and the part in square brackets can contain a `>`. */
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
