import { parseSvg } from './parse-svg.ts';
import type { Size } from './rendition.ts';

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

/**
 * The size of an SVG in pixels, from its `width`, `height` and `viewBox`, as browsers compute it.
 *
 * @throws an `Error` that says what is wrong with the SVG
 */
export function probeSvg(bytes: Uint8Array): Size {
  const root = parseSvg(bytes);
  return sizeOf((name) => root.get(name));
}

function sizeOf(attribute: (name: string) => string | undefined): Size {
  const box = boxOf(attribute('viewBox'));
  const own = { width: lengthOf(attribute('width')), height: lengthOf(attribute('height')) };
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
