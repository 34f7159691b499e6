import sax from 'sax';

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const root = `${rdf}RDF`;
const description = [root, `${rdf}Description`].join();

/** Real XMP has fewer. With many thousands, resolving prefixes or creating errors takes long. */
const mostLevels = 100;
const mostErrors = 100;
const mostElements = 200_000;
const tooManyAttributes = /<[^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*){2001}/;

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
  let elements = 0;
  /** Whether the next text continues the last one, which a comment or CDATA has ended. */
  let continues = false;
  parser.onopentag = (opened) => {
    continues = false;
    elements += 1;
    const tag = opened as sax.QualifiedTag;
    open.push(tag.uri + tag.local);
    if (open.length > mostLevels || elements > mostElements)
      throw new Error('The XMP is nested too deeply, or too long.');
    const isDescription = path().join() === description;
    for (const { uri, local, value } of Object.values(tag.attributes)) {
      if (isDescription) found.push([uri + local, value]);
      else if (uri + local === `${rdf}resource`) found.push([property(), value]);
    }
  };
  const addText = (text: string) => {
    const last = continues && found.at(-1);
    if (last) last[1] += text;
    else found.push([property(), text]);
    continues = true;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    continues = false;
    open.pop();
  };
  let errors = 0;
  parser.onerror = () => {
    errors += 1;
    if (errors > mostErrors) throw new Error('The XMP has too many errors.');
    parser.resume();
  };
  try {
    if (!tooManyAttributes.test(xml)) parser.write(xml).close();
  } catch {
    // The rest isn't read.
  }
  return (name) => found.flatMap(([property, text]) => (property === name ? text : []));
}
