import sax from 'sax';
import { svgText } from './svg-text.ts';

export const svgNamespace = 'http://www.w3.org/2000/svg';

export interface SvgTag {
  readonly name: string;
  /** Its namespace; `''` for none. */
  readonly namespace: string;
  readonly attributes: readonly SvgAttribute[];
}

interface SvgAttribute {
  readonly name: string;
  /** `''` for none. */
  readonly namespace: string;
  readonly value: string;
}

/** Told of what a drawing is made of, in its order; comments and instructions are left out. */
interface SvgReader {
  onOpen(tag: SvgTag): void;
  onClose?(): void;
  onText?(text: string): void;
}

/** More than drawings have, and few enough that reading them takes no time to speak of. */
const most = { levels: 500, attributes: 500 };

const tooManyAttributes = new RegExp(
  `<[^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*){${most.attributes + 1}}`,
);

/**
 * Reads an SVG drawing as XML, to its end.
 *
 * @throws an `Error` that says what is wrong with it, and what the reader throws
 */
export function parseSvg(bytes: Uint8Array, { onOpen, onClose, onText }: SvgReader): void {
  const parser = sax.parser(true, { xmlns: true });
  const onContent = (text: string) => onText?.(text);
  let isRoot = true;
  let levels = 0;
  parser.onopentag = (opened) => {
    const tag = toTag(opened as sax.QualifiedTag);
    if (isRoot && (tag.name !== 'svg' || tag.namespace !== svgNamespace)) {
      throw new Error('its root is no svg element in the namespace of SVG');
    }
    isRoot = false;
    levels += 1;
    if (levels > most.levels) throw new Error('its elements are nested too deeply');
    onOpen(tag);
  };
  parser.onclosetag = () => {
    levels -= 1;
    onClose?.();
  };
  parser.ontext = onContent;
  parser.oncdata = onContent;
  parser.onerror = ({ message }) => {
    throw new Error(`it is no well-formed XML (${message.split('\n').join(', ')})`);
  };
  const text = svgText(bytes);
  // The parser compares each attribute with all others of its element.
  if (tooManyAttributes.test(text)) throw new Error('an element has too many attributes');
  parser.write(text).close();
  if (isRoot) throw new Error('it is empty');
}

function toTag({ local, uri, attributes }: sax.QualifiedTag): SvgTag {
  return {
    name: local,
    namespace: uri,
    attributes: Object.values(attributes).map(({ local, uri, value }) => ({
      name: local,
      namespace: uri,
      value,
    })),
  };
}
