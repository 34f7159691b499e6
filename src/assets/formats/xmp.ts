import sax from 'sax';

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const root = `${rdf}RDF`;
const description = [root, `${rdf}Description`].join();

/** Real XMP has fewer. With many thousands, resolving prefixes or creating errors takes long. */
const mostLevels = 100;
const mostErrors = 100;
const mostParts = 500_000;
const mostAttributes = 2000;

/**
 * Reads XMP as far as it isn't broken.
 *
 * @returns the texts in a property of the image itself, not of its ingredients. The property's name
 * begins with the URI of its namespace
 */
export function readXmp(xml: string): (property: string) => string[] {
  const found: [property: string | undefined, text: string][] = [];
  const open: string[] = [];
  const path = () => open.slice(open[0] === root ? 0 : 1);
  const property = () => (path().slice(0, 2).join() === description ? path()[2] : undefined);
  const parser = sax.parser(true, { xmlns: true });
  const end: (typeof found)[number] = [undefined, ''];
  parser.onopentag = (opened) => {
    const tag = opened as sax.QualifiedTag;
    open.push(tag.uri + tag.local);
    if (open.length > mostLevels || found.length > mostParts)
      throw new Error('The XMP is too large.');
    const isDescription = path().join() === description;
    for (const { uri, local, value } of Object.values(tag.attributes)) {
      if (isDescription) found.push([uri + local, value]);
      else if (uri + local === `${rdf}resource`) found.push([property(), value]);
    }
    found.push(end);
  };
  /** A comment or CDATA can divide a text. */
  const addText = (text: string) => {
    const last = found.at(-1);
    if (last && last !== end) last[1] += text;
    else found.push([property(), text]);
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    found.push(end);
    open.pop();
  };
  let errors = 0;
  parser.onerror = () => {
    errors += 1;
    if (errors > mostErrors) throw new Error('The XMP has too many errors.');
    parser.resume();
  };
  try {
    parseXml(parser, xml, mostAttributes);
  } catch {
    // The rest isn't read.
  }
  return (name) => found.flatMap(([property, text]) => (property === name ? text : []));
}

/**
 * Parses a whole text, in pieces: the parser compares each attribute with all others of its element, and
 * each character of a declaration with all before it, and has a limit of its own for each value, which an
 * embedded image exceeds.
 */
export function parseXml(parser: sax.SAXParser, xml: string, mostAttributes: number): void {
  const attributes = `(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*){${mostAttributes + 1}}`;
  if (new RegExp(`<[^<>"']*${attributes}`).test(xml))
    throw new Error('one of its elements has too many attributes');
  const state = parser as sax.SAXParser & { sgmlDecl: string; bufferCheckPosition: number };
  for (const [piece] of xml.matchAll(/.{1,1024}/gs)) {
    state.bufferCheckPosition = Number.POSITIVE_INFINITY;
    parser.write(piece);
    if (state.sgmlDecl.length > 1024) throw new Error('one of its declarations is too long');
  }
  parser.close();
}

/** Begins XMP in a GIF. */
const gifXmp = 'XMP DataXMP';

/** The XMP of a GIF, which sharp doesn't read. */
export function xmpOfGif(bytes: Buffer): Buffer | undefined {
  const start = bytes.indexOf(gifXmp);
  const end = bytes.indexOf(Buffer.from([0x01, 0xff, 0xfe]), start);
  return start < 0 || end < 0 ? undefined : bytes.subarray(start + gifXmp.length, end);
}
