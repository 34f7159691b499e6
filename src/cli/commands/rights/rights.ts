import { type ListedRights, listRights } from '../../../assets/records/list-rights.ts';
import { mediaAssetError } from '../../../errors/errors.ts';
import { countOf, listNames } from '../../../errors/wording.ts';
import { pagePath } from '../../../scan/page-url.ts';
import { loadSiteConfig } from '../../settings/load-site-config.ts';
import {
  builtFolder,
  cacheFolder,
  openService,
  readSiteSettings,
  type SiteFlags,
} from '../../settings/site-settings.ts';
import { withNulls } from '../../terminal/json-output.ts';
import { type Column, type TextStyle, tableRows } from '../../terminal/table.ts';
import { type Command, exitCodes } from '../../terminal/terminal.ts';
import { scanFolder } from '../../usage/scan-folder.ts';

export const rights: Command<SiteFlags, [folder?: string]> = async (flags, terminal, folder) => {
  const { rules, ...known } = await readSiteSettings(flags, terminal);
  const dir = builtFolder(folder, rules, 'rights');
  const config = await loadSiteConfig(terminal, known);
  if (!config?.record?.rights.read) throw mediaAssetError('record-unread', undefined);
  const service = await openService(flags, terminal, known);
  const manifest = await scanFolder(dir, { ...rules, pages: undefined }, terminal);
  const pairs = Map.groupBy(
    [...manifest.pages, ...manifest.excluded].flatMap(({ page, assets }) =>
      assets.map((id) => ({ id, page })),
    ),
    ({ id }) => id,
  );
  const listed = await listRights(service, {
    cacheDir: cacheFolder(terminal, known),
    pages: new Map(Array.from(pairs, ([id, same]) => [id, same.map(({ page }) => page)])),
    record: config.record,
    languages: config.languages,
    now: Date.now(),
  });
  const assets = listed.map((one) =>
    withNulls(one, 'id', 'state', 'name', 'reason', 'until', 'pages'),
  );
  terminal.print({ assets, counts: countStates(listed) }, () => rightsText(listed, terminal));
  return listed.some(({ state }) => state === 'forbidden') ? exitCodes.error : exitCodes.done;
};

function countStates(listed: readonly ListedRights[]) {
  const counts = { forbidden: 0, ending: 0, unknown: 0, allowed: 0 };
  for (const { state } of listed) counts[state] += 1;
  return counts;
}

const columns: readonly Column<ListedRights>[] = [
  { title: 'state', value: ({ state }) => state },
  { title: 'id', value: ({ id }) => String(id), right: true },
  { title: 'name', value: ({ name = '' }) => name },
  { title: 'until', value: ({ until = '' }) => until },
  { title: 'pages', value: ({ pages }) => listNames(pages.map(pagePath)) },
];

function rightsText(listed: readonly ListedRights[], style: TextStyle): string {
  if (listed.length === 0) return 'No page shows an asset.';
  const { red, yellow } = style.paint;
  const colours = { forbidden: red, ending: yellow, unknown: yellow, allowed: String };
  const [header, ...rows] = tableRows(columns, listed, style);
  const counts = Object.entries(countStates(listed)).map(([state, number]) => `${number} ${state}`);
  return [
    header,
    ...listed.map(({ state }, index) => colours[state](rows[index] ?? '')),
    `${countOf(listed.length, 'asset')}: ${counts.join(', ')}.`,
  ].join('\n');
}
