import type { Place } from '../../../errors/place.ts';
import type { ShownAsset } from '../protocol.ts';

/** `src/pages/index.astro:12`, as editors open it. */
export function describePlace({ file, line }: Place): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** Whether neither the page nor the record has a text, and the page doesn't mark it as decoration. */
export function lacksAlt({ alt, given, kind }: ShownAsset): boolean {
  return alt === '' && given === undefined && kind === undefined;
}

/** Why the page's text can't be changed at a place in data. */
export function describeAltSource({ given }: ShownAsset): string {
  if (given === undefined) return "The page shows the alt text of the asset's record.";
  const text = given === '' ? 'marks the image as decoration' : `has the alt text “${given}”`;
  return `The page's template ${text}. If that doesn't fit, change it there.`;
}
