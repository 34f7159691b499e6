import { createHash } from 'node:crypto';
import { isDeviceName } from '../../storage/file-problems.ts';
import { formatFacts, type Rendition } from './rendition.ts';
import type { RenditionAddress } from './rendition-url.ts';

/** Increased when the same rendition gets different pixels than before. */
const encoderVersion = 6;

/** The address of a rendition. The same pixels have the same one, and other pixels another one. */
export function renditionAddress(rendition: Rendition, name: string): RenditionAddress {
  const { source, rectangle, width, height, recipe } = rendition;
  const { x, y } = rectangle;
  const { format, quality, effort, animated, gamut } = recipe;
  const filled = recipe.background === undefined ? [] : [recipe.background];
  const credited = recipe.credit === undefined ? [] : [{ credit: recipe.credit }];
  const facts = [
    encoderVersion,
    [x, y, rectangle.width, rectangle.height],
    [width, height],
    [format, quality ?? null, effort ?? null, animated, gamut, ...filled, ...credited],
  ];
  return {
    id: source.reference.id,
    sourceHash: source.hash.slice(0, 16),
    digest: createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16),
    name,
    extension: formatFacts[format].extension,
  };
}

const longestName = 60;

/** Letters that Unicode doesn't decompose into plain ones. */
const spelledOut: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
};

/**
 * The readable name of an asset's renditions: its `alt` in plain lower-case letters, digits and
 * hyphens, at most 60, cut between words if possible. Otherwise the ID, also instead of a name that
 * Windows reserves.
 */
export function renditionName(alt: string, id: number): string {
  const plain = alt
    .slice(0, 10 * longestName)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\0-\x7f]/g, (letter) => spelledOut[letter] ?? ' ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const name = shortened(plain);
  return name === '' || isDeviceName(name) ? String(id) : name;
}

function shortened(name: string): string {
  if (name.length <= longestName) return name;
  const cut = name.slice(0, longestName + 1);
  const lastWord = cut.lastIndexOf('-');
  return cut.slice(0, lastWord > 0 ? lastWord : longestName);
}
