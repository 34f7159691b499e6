import type { Crop, Focus } from './crop.ts';

/** Where a crop or a focus point is written: JavaScript, a `media:` address, YAML, or JSON. */
export type CropSyntax = 'js' | 'address' | 'yaml' | 'json';

/**
 * Writes a crop or a focus on one line: `{ x: 400, y: 200, width: 2400, height: 1600 }`, in an address
 * `400,200,2400,1600`.
 */
export function writeCrop(value: Crop | Focus, syntax: CropSyntax): string {
  const quote = { js: "'", address: '', yaml: '', json: '"' }[syntax];
  if (typeof value === 'string') return `${quote}${value}${quote}`;
  const entries = cropEntries(value);
  if (syntax === 'address') {
    // A decimal point is what makes numbers fractions.
    const point = Reflect.get(value, 'unit') === 'fraction' ? '.0' : '';
    const numbers = entries.filter(([name]) => name !== 'unit').map(([, one]) => String(one));
    return numbers.map((one) => (/[.e]/.test(one) ? one : `${one}${point}`)).join(',');
  }
  const key = syntax === 'json' ? '"' : '';
  const written = entries.map(([name, one]) => {
    return `${key}${name}${key}: ${typeof one === 'string' ? `${quote}${one}${quote}` : one}`;
  });
  return `{ ${written.join(', ')} }`;
}

/** Reads a crop that `writeCrop` has written in JavaScript. */
export function readWrittenCrop(text: string): Crop {
  return JSON.parse(text.replace(/(\w+):/g, '"$1":').replaceAll("'", '"'));
}

/** The entries of a crop or a focus point that say something, in the order in which they're written. */
export function cropEntries(value: object): [name: string, value: string | number][] {
  return ['unit', 'x', 'y', 'width', 'height'].flatMap((name) => {
    const one: string | number | undefined = Reflect.get(value, name);
    return one === undefined || one === 'pixel' ? [] : [[name, one]];
  });
}
