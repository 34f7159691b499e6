import { countOf, oneLine } from '../../errors/wording.ts';
import type { Drift, DriftKind } from '../../usage/reconcile/reconcile-ledger.ts';
import type { OtherUsage } from '../../usage/reconcile/reconcile-usage.ts';
import type { Colours } from '../terminal/terminal.ts';

/** The sign of each kind, and what it means. */
const kinds: Readonly<Record<DriftKind, readonly [sign: '+' | '-' | '~' | '=', note: string]>> = {
  missing: ['+', 'shown, not listed'],
  extra: ['-', 'listed, not shown'],
  repeated: ['~', 'listed more than once'],
  fields: ['~', 'listed with other fields'],
  ledger: ['=', 'right in the service, wrong in the ledger'],
};

const nothingKnown =
  'Nothing to compare: neither the ledger nor a page names an asset. Pass --all to look up the whole library.';

const others =
  "Assets that neither the ledger nor a page names weren't looked up. If the ledger was lost or is old, pass --all to look up the whole library.";

export function driftText(
  drift: readonly Drift[],
  asked: {
    assets: number;
    /** Number of assets whose usages the service refused to list. */
    unlisted: number;
    isAll: boolean;
    paint: Colours;
  },
): string {
  const { assets, unlisted, isAll, paint } = asked;
  if (assets === 0) return isAll ? 'Nothing to compare: the library has no assets.' : nothingKnown;
  const refused = unlisted === 0 ? '' : `, ${unlisted} of them refused (see the warnings)`;
  const reach = isAll ? ': all of the library that the credentials may see.' : `.\n${others}`;
  const looked = `${countOf(assets, 'asset')} looked up${refused}${reach}`;
  if (drift.length === 0) {
    const where = unlisted === 0 ? '' : ' in the others';
    return `No drift${where}: the service lists what the pages show, and the ledger agrees. ${looked}`;
  }
  const colours = { '+': paint.green, '-': paint.red, '~': paint.yellow, '=': paint.dim };
  const blocks = [...Map.groupBy(drift, ({ page }) => page)].map(([page, found]) => {
    const name = found[0]?.pageName ?? '';
    const lines = found.map(({ id, kind }) => {
      const [sign, note] = kinds[kind];
      return `  ${colours[sign](sign)} ${id}  ${paint.dim(`(${note})`)}`;
    });
    return [`${paint.bold(oneLine(name))}  ${paint.dim(oneLine(page))}`, ...lines].join('\n');
  });
  const count = countOf(drift.length, 'usage');
  return [...blocks, `${paint.bold('Drift:')} ${count}. ${looked}`].join('\n\n');
}

export function leftAloneText({ length }: readonly OtherUsage[]): string {
  return `${countOf(length, 'usage')} of another project or contact, left alone (--json lists them).
If this site reported them under an earlier name, run this first: media-asset reconcile <folder> --all --project <name> --contact <name>`;
}
