import { resolve } from 'node:path';
import { assetName } from '../../../assets/files/file-label.ts';
import { countOf } from '../../../errors/wording.ts';
import { readOutput } from '../../../scan/read-output.ts';
import { type ListedFacts, listFolder } from '../../../service/list-file-facts.ts';
import { ifUnlisted, listAssetUsages } from '../../../usage/reconcile/list-usages.ts';
import {
  builtFolder,
  openService,
  readSiteSettings,
  type SiteFlags,
} from '../../settings/site-settings.ts';
import { toCsv } from '../../terminal/csv.ts';
import { withNulls } from '../../terminal/json-output.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { type Column, type TextStyle, tableRows } from '../../terminal/table.ts';
import { type Command, noteFindings } from '../../terminal/terminal.ts';
import { scanFolder } from '../../usage/scan-folder.ts';
import { fileColumns } from './files.ts';

interface UnusedFlags extends SiteFlags {
  readonly folder: readonly number[];
  readonly csv?: boolean;
}

interface Unused extends ListedFacts {
  /** Whether the service lists no usage: `unknown` if it doesn't list those of this asset. */
  readonly elsewhere: 'none' | 'unknown';
}

const printed = ['id', 'name', 'kind', 'size', 'folder', 'elsewhere'] as const;

/**
 * Lists the assets of folders that no built file of this site names, and for which the service lists no
 * usage. It's a question before a deletion, so it names everything that isn't known.
 */
export const unused: Command<UnusedFlags, [built?: string]> = async (flags, terminal, built) => {
  const { rules, ...known } = await readSiteSettings(flags, terminal);
  const dir = builtFolder(built, rules, 'unused');
  const service = await openService(flags, terminal, known);
  const { pages, excluded } = await scanFolder(dir, rules, terminal);
  // Feeds, data and scripts name assets too.
  const whole = { ...rules, service: service.baseUrl };
  const files = await readOutput(resolve(terminal.directory, dir), whole, { judges: false });
  const named = new Set([
    ...[...pages, ...excluded].flatMap(({ assets }) => assets),
    ...files.flatMap(({ assets, renditions }) => [
      ...assets.map(({ id }) => id),
      ...renditions.map(({ address: { id } }) => id),
    ]),
  ]);
  const listed = new Map<number, ListedFacts>();
  for (const id of flags.folder)
    for await (const file of listFolder(service, id)) listed.set(file.id, file);
  const left = [...listed.values()].filter(({ id }) => !named.has(id));
  const onProgress = progressLine('Asking for usages', terminal);
  const ids = left.map(({ id }) => id);
  const usages = await listAssetUsages(service, ids, { onProgress }).catch(ifUnlisted);
  const isListed = 'listing' in usages;
  if (isListed) noteFindings(usages.findings, terminal);
  const found = left.flatMap((file): Unused[] => {
    const records = isListed ? usages.listing.get(file.id) : undefined;
    if (records && records.length > 0) return [];
    return [{ ...file, name: assetName(file), elsewhere: records ? 'none' : 'unknown' }];
  });
  const assets = found.map((one) => withNulls(one, ...printed));
  const counts = { listed: listed.size, elsewhere: left.length - found.length };
  if (flags.csv) terminal.out(toCsv(printed, assets));
  else terminal.print({ assets, counts }, () => unusedText(found, counts, terminal));
};

const columns: readonly Column<Unused>[] = [
  ...fileColumns,
  { title: 'usages elsewhere', value: ({ elsewhere }) => elsewhere },
];

function unusedText(
  found: readonly Unused[],
  { listed, elsewhere }: { listed: number; elsewhere: number },
  style: TextStyle,
): string {
  const unknown = found.filter((one) => one.elsewhere === 'unknown').length;
  const others = elsewhere > 0 ? ` The service lists usages of ${elsewhere} others.` : '';
  return [
    ...(found.length > 0 ? tableRows(columns, found, style) : []),
    `${found.length} of ${countOf(listed, 'asset')}: no file of this site names them.${others}`,
    ...(unknown > 0 ? [`Of ${unknown}, the service lists no usages, so others may use them.`] : []),
    'Not known: pages rendered on demand, drafts, older deploys, and what no one reports. Ask before you delete.',
  ].join('\n');
}
