import type { Manifest } from '../../../src/scan/manifest.ts';
import type { Ledger } from '../../../src/usage/ledger/ledger.ts';

/**
 * The pairs, as `page id`, that no run without an override may remove: all that are known and no
 * longer shown, where they are more than 10 and more than half of the known ones, rounded up.
 */
export function heldPairs({ pages }: Pick<Ledger, 'pages'>, manifest: Manifest): string[] {
  const shown = new Set(
    manifest.pages.flatMap(({ page, assets }) => assets.map(({ id }) => `${page} ${id}`)),
  );
  const known = new Set(
    [...pages].flatMap(([page, records]) =>
      records
        .filter(({ state }) => state !== 'unsent')
        .flatMap(({ ids }) => ids.map((id) => `${page} ${id}`)),
    ),
  );
  const gone = [...known].filter((pair) => !shown.has(pair));
  return gone.length > Math.max(10, Math.ceil(known.size / 2)) ? gone : [];
}
