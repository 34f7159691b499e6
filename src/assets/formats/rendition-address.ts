import { createHash } from 'node:crypto';
import { formatFacts, type Rendition } from './rendition.ts';
import type { RenditionAddress } from './rendition-url.ts';

/** Goes up when the same rendition comes out with other pixels than before. */
const encoderVersion = 6;

/** The address of a rendition: the same pixels have the same one, and other pixels another. */
export function renditionAddress(rendition: Rendition, name: string): RenditionAddress {
  const { source, rectangle, width, height, recipe } = rendition;
  const { x, y } = rectangle;
  const { format, quality, effort, animated, gamut } = recipe;
  const drawn = format === 'svg' ? [recipe.sanitizer ?? null] : [];
  const filled = recipe.background === undefined ? [] : [recipe.background];
  const facts = [
    encoderVersion,
    [x, y, rectangle.width, rectangle.height],
    [width, height],
    [format, quality ?? null, effort ?? null, animated, gamut, ...drawn, ...filled],
  ];
  return {
    id: source.reference.id,
    sourceHash: source.hash.slice(0, 16),
    digest: createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16),
    name,
    extension: formatFacts[format].extension,
  };
}
