import fc from 'fast-check';
import { manifestOf } from './usage-fixtures.ts';

const page = fc.tuple(
  fc.constantFrom('The quay', 'Quay', 'Boats'),
  fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
);

/** A manifest of up to four pages, with up to five assets. */
export const anyManifest = fc
  .dictionary(fc.constantFrom('/', '/a/', '/b/', '/c/'), page, { minKeys: 1 })
  .map((pages) =>
    manifestOf(
      Object.fromEntries(
        Object.entries(pages).map(([path, [name, ids]]) => [path, [name, ...ids]]),
      ),
    ),
  );
