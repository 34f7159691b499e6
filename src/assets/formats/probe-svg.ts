import sax from 'sax';
import type { Size } from '../geometry/rectangle.ts';
import { parseXml } from './xmp.ts';

/** The size of an SVG in pixels, from its `width`, `height` and `viewBox`, as browsers compute it. */
export function probeSvg(bytes: Uint8Array): Size {
  const root = parseSvg(bytes);
  const box = boxOf(root.get('viewBox'));
  const own = { width: lengthOf(root.get('width')), height: lengthOf(root.get('height')) };
  const ratio = box && box.width / box.height;
  const width = own.width ?? (own.height && ratio ? own.height * ratio : box?.width);
  const height = own.height ?? (own.width && ratio ? own.width / ratio : box?.height);
  const size = { width: width ?? defaultSize.width, height: height ?? defaultSize.height };
  const scale = Math.min(1, longestSide / size.width, longestSide / size.height);
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}

/** The size that browsers use for an SVG without one. */
const defaultSize: Size = { width: 300, height: 150 };

const longestSide = 65_535;

/** CSS pixels per absolute unit. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

/** In pixels; `undefined` for lengths that depend on the page, such as `100%`, and for invalid ones. */
function lengthOf(text: string | undefined): number | undefined {
  const [, number, unit = ''] = /^\s*\+?([\d.]+(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(text ?? '') ?? [];
  const length = Number(number) * (units[unit.toLowerCase()] ?? Number.NaN);
  return Number.isFinite(length) && length > 0 ? length : undefined;
}

function boxOf(text: string | undefined): Size | undefined {
  const [, , width = 0, height = 0, ...others] = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const isBox = others.length === 0 && Number.isFinite(width) && Number.isFinite(height);
  return isBox && width > 0 && height > 0 ? { width, height } : undefined;
}

/** Parses a whole SVG: the root's attributes without a namespace. Throws what's wrong with it. */
function parseSvg(bytes: Uint8Array): ReadonlyMap<string, string> {
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
  parseXml(parser, decode(bytes), most.attributes);
  if (!root) throw new Error("it's empty");
  const own = Object.values(root.attributes).filter(({ uri }) => uri === '');
  return new Map(own.map(({ local, value }) => [local, value]));
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/** More than real SVGs have, and few enough to parse quickly. */
const most = { levels: 500, attributes: 500 };

/** Entities that drawing programs declare for namespaces. A longer value could fill the memory. */
const entity = /<!ENTITY\s+([\w.-]+)\s+(?:"([^"<&%]{0,1000})"|'([^'<&%]{0,1000})')\s*>/g;

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error("it isn't valid UTF-8", { cause });
  }
}
