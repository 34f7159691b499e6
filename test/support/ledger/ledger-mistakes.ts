import type { StoredUsage } from '../../../src/emulator/library/usage-records.ts';
import type { Manifest } from '../../../src/scan/manifest.ts';
import { equalFields, type Ledger } from '../../../src/usage/ledger/ledger.ts';
import { removalsAlwaysAllowed } from './usage-fixtures.ts';

/**
 * The mistakes of a ledger, as sentences: a listed pair that the ledger doesn't know, a confirmed
 * pair that the service doesn't list exactly once as confirmed, and a listed record that the ledger
 * neither confirms nor doubts. `records` are those of the ledger's own site.
 */
export function ledgerMistakes(
  ledger: Pick<Ledger, 'pages'> | undefined,
  records: readonly StoredUsage[],
): string[] {
  const listed = Map.groupBy(records, ({ page, asset }) => `${page} ${asset}`);
  const told = [...(ledger?.pages ?? [])].flatMap(([page, told]) =>
    told
      .filter(({ state }) => state !== 'unsent')
      .flatMap((record) => record.ids.map((id) => ({ pair: `${page} ${id}`, record }))),
  );
  const known = Map.groupBy(told, ({ pair }) => pair);
  return [...new Set([...listed.keys(), ...known.keys()])].flatMap((pair) => {
    const variants = (known.get(pair) ?? []).map(({ record }) => record);
    const found = listed.get(pair) ?? [];
    const isSure = variants.length === 1 && variants[0]?.state === 'confirmed';
    const most = variants.reduce((sum, { state }) => sum + (state === 'unremoved' ? 2 : 1), 0);
    return [
      ...(found.length > most
        ? [`${pair} is listed ${found.length} times, known in ${variants.length} variants`]
        : []),
      ...(isSure && found.length === 0 ? [`${pair} is confirmed and not listed`] : []),
      ...found
        .filter((record) => variants.every((variant) => !equalFields(variant, record)))
        .map(({ pageName }) => `${pair} is listed as ${pageName}, in fields that are not known`),
    ];
  });
}

/**
 * The pairs, as `page id`, that no run may remove without an override: all known pairs that are no
 * longer shown, if they are more than the guard always allows and more than half of the known ones,
 * rounded up.
 */
export function heldPairs({ pages }: Pick<Ledger, 'pages'>, manifest: Manifest): string[] {
  const shown = new Set(
    manifest.pages.flatMap(({ page, assets }) => assets.map((id) => `${page} ${id}`)),
  );
  const known = new Set(
    [...pages].flatMap(([page, records]) =>
      records
        .filter(({ state }) => state !== 'unsent')
        .flatMap(({ ids }) => ids.map((id) => `${page} ${id}`)),
    ),
  );
  const gone = [...known].filter((pair) => !shown.has(pair));
  return gone.length > Math.max(removalsAlwaysAllowed, Math.ceil(known.size / 2)) ? gone : [];
}
