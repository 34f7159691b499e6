import { seededRandom } from '../test/support/bends/faults/seeded-random.ts';

export const words =
  'quay boat crane rope net gull tide mast keel buoy lamp pier shell sail wave the of and to in was with from'.split(
    ' ',
  );

/** Returns this many words, different ones in each call, the same for the same seed. */
export function makeWords(seed: number): (count: number) => string {
  const random = seededRandom(seed, 0);
  return (count) =>
    Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ');
}
