import { countOf, oneLine } from '../../../errors/wording.ts';
import { listLibrary } from '../../../usage/reconcile/list-usages.ts';
import type { Drift, DriftKind } from '../../../usage/reconcile/reconcile-ledger.ts';
import {
  lookUpUsages,
  type OtherUsage,
  reconcileUsage,
  repairLedger,
} from '../../../usage/reconcile/reconcile-usage.ts';
import type { ReportResult } from '../../../usage/report/report-result.ts';
import { withNulls } from '../../terminal/json-output.ts';
import { type Colours, type Command, exitCodes, noteFindings } from '../../terminal/terminal.ts';
import {
  countsText,
  countsToJson,
  outcomeCodes,
  prepareUsageRun,
  type UsageFlags,
} from '../../usage/usage-run.ts';

interface ReconcileFlags extends UsageFlags {
  readonly asset?: readonly number[];
  readonly all?: boolean;
}

const ledgerRepaired =
  "The ledger now matches the service's list. Run `media-asset report <folder>` to report what the pages show.";

/**
 * Compares the service's list with the ledger and the built pages, and repairs both after
 * confirmation or with `--yes`. Without a folder, the wanted usages are unknown, so only the ledger
 * is repaired. Looks up assets in the ledger or on a page, which may not be all after a lost or
 * rolled-back ledger. `--all` looks up the whole library. Usages that another project reported
 * under the same base are shown but left alone.
 */
export const reconcile: Command<ReconcileFlags, [folder?: string]> = async (
  flags,
  terminal,
  folder = '',
) => {
  const run = await prepareUsageRun(flags, terminal, { sends: true });
  const opened = run.openService();
  const { service } = opened;
  const given = run.usages;
  const manifest = folder === '' ? undefined : await run.scan(folder);
  const library = flags.all
    ? await run.work('Reading the library', (part) => listLibrary(service, part))
    : { ids: [], findings: [] };
  noteFindings(library.findings, terminal);
  const others = [...library.ids, ...(flags.asset ?? [])];
  const { drift, leftAlone, findings, assets, unlisted, ids } = await run.work(
    'Asking the service',
    (part) => lookUpUsages({ ...given, ...part, service, manifest, others }),
  );
  noteFindings(findings, terminal);
  const isBuilt = manifest !== undefined;
  const paint = flags.json || flags.yes ? terminal.notePaint : terminal.paint;
  const all = flags.all === true;
  const found = driftText(drift, { assets, unlisted, isBuilt, isAll: all, paint });
  const text = leftAlone.length === 0 ? found : `${found}\n\n${leftAloneText(leftAlone)}`;
  const print = (repaired: boolean, result?: ReportResult, said = text) => {
    const report = result && countsToJson(result);
    const others = leftAlone.map((one) =>
      withNulls(one, 'page', 'pageName', 'id', 'project', 'contact'),
    );
    const json = { assets, all, drift, leftAlone: others, repaired, ...(report && { report }) };
    terminal.print(json, () => said);
  };

  if (drift.length === 0) {
    print(false);
    return exitCodes.done;
  }
  const question = isBuilt ? `Repair this in ${given.identity.service}?` : 'Repair the ledger?';
  if (!flags.yes && !terminal.confirm) {
    print(false);
    return exitCodes.unsent;
  }
  terminal.note(text);
  if (!(await run.isAgreed(question))) {
    if (flags.json) print(false);
    return exitCodes.unsent;
  }
  if (!manifest) {
    await run.work('Asking the service', (part) =>
      repairLedger({ ...given, ...part, service, manifest, ids }),
    );
    print(true, undefined, ledgerRepaired);
    // Only a report can repair these.
    const isLeft = drift.some(({ kind }) => kind === 'missing' || kind === 'repeated');
    return isLeft ? exitCodes.unsent : exitCodes.done;
  }
  // A build may have started during the listing or the confirmation.
  await run.assertSameBuild();
  const result = await run.work('Sending', async (part) => {
    await run.record(folder, manifest, part.signal);
    return reconcileUsage({ ...given, ...opened, ...part, manifest, ids });
  });
  const fresh = result.findings.filter(({ code }) => code !== 'listing-refused');
  noteFindings(fresh, terminal);
  const repaired = 'The ledger was repaired. Nothing had to be sent.';
  print(true, result, countsText(result, repaired));
  return outcomeCodes[result.outcome];
};

/** The sign of each kind, and what it means with built pages and without them. */
const kinds: Readonly<
  Record<DriftKind, readonly [sign: '+' | '-' | '~' | '=', built: string, unbuilt?: string]>
> = {
  missing: ['+', 'shown, not listed', 'in the ledger, not listed'],
  extra: ['-', 'listed, not shown', 'listed, not in the ledger'],
  repeated: ['~', 'repeated'],
  fields: ['~', 'listed with other fields'],
  ledger: ['=', 'right in the service, wrong in the ledger'],
};

const nothingKnown =
  'Nothing to compare: no asset is known here. Name the built folder, pass --asset, or look up the whole library with --all.';

const others =
  "Assets that neither the ledger nor a page names weren't looked up. If the ledger was lost or is old, pass --all to look up the whole library.";

export function driftText(
  drift: readonly Drift[],
  asked: {
    assets: number;
    /** Number of assets whose usages the service refused to list. */
    unlisted: number;
    isBuilt: boolean;
    /** Whether the whole library was looked up. */
    isAll: boolean;
    paint: Colours;
  },
): string {
  const { assets, unlisted, isBuilt, isAll, paint } = asked;
  if (assets === 0) return isAll ? 'Nothing to compare: the library has no assets.' : nothingKnown;
  const refused = unlisted === 0 ? '' : `, ${unlisted} of them refused (see the warnings)`;
  const reach = isAll ? ': all of the library that the credentials may see.' : `.\n${others}`;
  const looked = `${countOf(assets, 'asset')} looked up${refused}${reach}`;
  if (drift.length === 0) {
    if (unlisted === assets) return `Nothing to compare. ${looked}`;
    const rest = isBuilt ? 'what the pages show, and the ledger agrees' : 'what the ledger holds';
    const said = unlisted === 0 ? 'No drift' : 'No drift in the others';
    return `${said}: the service lists ${rest}. ${looked}`;
  }
  const noteOf = (kind: DriftKind) => {
    const [, built, unbuilt = built] = kinds[kind];
    return isBuilt ? built : unbuilt;
  };
  const colours = { '+': paint.green, '-': paint.red, '~': paint.yellow, '=': paint.dim };
  const blocks = [...Map.groupBy(drift, ({ page }) => page)].map(([page, found]) => {
    const name = found[0]?.pageName ?? '';
    const lines = found.map(({ id, kind, listed }) => {
      const [sign] = kinds[kind];
      const note = kind === 'repeated' ? `listed ${listed} times` : noteOf(kind);
      return `  ${colours[sign](sign)} ${id}  ${paint.dim(`(${note})`)}`;
    });
    return [`${paint.bold(oneLine(name))}  ${paint.dim(page)}`, ...lines].join('\n');
  });
  const counts = (Object.keys(kinds) as DriftKind[]).flatMap((kind) => {
    const { length } = drift.filter((one) => one.kind === kind);
    return length > 0 ? `${length} ${noteOf(kind)}` : [];
  });
  return [...blocks, `${paint.bold('Drift:')} ${counts.join('; ')}. ${looked}`].join('\n\n');
}

const mostNames = 10;

/** The usages that another project reported, by name. */
export function leftAloneText(usages: readonly OtherUsage[]): string {
  const named = [...Map.groupBy(usages, nameOf)].slice(0, mostNames);
  const lines = named.map(
    ([name, same]) => `  ${name}: ${countOf(same.length, 'usage')}, such as on ${same[0]?.page}`,
  );
  return [
    `${countOf(usages.length, 'usage')} of another project or contact, left alone:`,
    ...lines,
    'If this site reported them under an earlier name, run this first: media-asset reconcile --all --project <name> --contact <name>',
  ].join('\n');
}

function nameOf({ project, contact }: OtherUsage): string {
  return [
    ...(project === undefined ? [] : [`project ${JSON.stringify(oneLine(project))}`]),
    ...(contact === undefined ? [] : [`contact ${JSON.stringify(oneLine(contact))}`]),
  ].join(', ');
}
