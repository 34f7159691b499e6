import sax from 'sax';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** More than real SVGs have, and few enough to parse quickly. */
const most = { levels: 500, attributes: 500 };

const tooManyAttributes = new RegExp(
  `<[^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*){${most.attributes + 1}}`,
);

/** Entities that drawing programs declare for namespaces. A longer value could fill the memory. */
const entity = /<!ENTITY\s+([\w.-]+)\s+(?:"([^"<&%]{0,1000})"|'([^'<&%]{0,1000})')\s*>/g;

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
  // External entities stay unknown.
  parser.ondoctype = (doctype) => {
    for (const [, name = '', one, other] of doctype.matchAll(entity))
      parser.ENTITIES[name] = one ?? other ?? '';
  };
  parser.onerror = ({ message }) => {
    throw new Error(`it isn't well-formed XML (${message.split('\n').join(', ')})`);
  };
  const text = decode(bytes);
  // The parser compares each attribute with all others of its element.
  if (tooManyAttributes.test(text)) throw new Error('one of its elements has too many attributes');
  parser.write(text).close();
  if (!root) throw new Error("it's empty");
  const own = Object.values(root.attributes).filter(({ uri }) => uri === '');
  return new Map(own.map(({ local, value }) => [local, value]));
}

/** The most bytes of an SVG. */
export const largestSvg = 5 * 1024 ** 2;

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
