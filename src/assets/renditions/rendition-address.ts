import { digest } from '../../storage/digest.ts';
import type { Rendition } from '../formats/rendition.ts';
import { pixelVersion, type RenditionAddress } from '../formats/rendition-url.ts';

/** The address of a rendition. The same pixels have the same one, and other pixels another one. */
export function renditionAddress(rendition: Rendition, name: string): RenditionAddress {
  const { source, rectangle, width, height, recipe } = rendition;
  const { x, y } = rectangle;
  const { format, quality, effort, animated } = recipe;
  const filled = recipe.background === undefined ? [] : [recipe.background];
  const credited = recipe.credit === undefined ? [] : [{ credit: recipe.credit }];
  const facts = [
    pixelVersion,
    [x, y, rectangle.width, rectangle.height],
    [width, height],
    // `srgb` was a choice once. It stays, so that URLs do.
    [format, quality ?? null, effort ?? null, animated, 'srgb', ...filled, ...credited],
  ];
  return {
    id: source.reference.id,
    sourceHash: source.hash.slice(0, 16),
    digest: digest(facts),
    name,
    extension: format === 'jpeg' ? 'jpg' : format,
  };
}

/**
 * The readable name of an asset's renditions: its `alt` in plain lower-case letters, digits and
 * hyphens, cut between words if possible. Otherwise the ID.
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
  const lastWord = plain.slice(0, longestName + 1).lastIndexOf('-');
  const length = plain.length <= longestName || lastWord <= 0 ? longestName : lastWord;
  return plain.slice(0, length) || String(id);
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
