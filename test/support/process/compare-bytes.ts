/** Compares bytes as a whole. Vitest compares them one by one, which takes a second for 100 KB. */
import { expect } from 'vitest';

const isAdded = Symbol.for('astro-media-asset tests compare bytes as a whole');

// A worker keeps it for all of its files.
if (!(isAdded in globalThis)) {
  Object.assign(globalThis, { [isAdded]: true });
  expect.addEqualityTesters([
    (one, other) =>
      one instanceof Uint8Array && other instanceof Uint8Array
        ? Buffer.compare(one, other) === 0
        : undefined,
  ]);
}
