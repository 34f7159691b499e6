import { serviceFolder } from '../../assets/store/asset-folder.ts';
import { lastService } from '../../assets/store/last-build.ts';
import { finding } from '../../errors/errors.ts';
import { countOf, cutTo, listNames } from '../../errors/wording.ts';
import { pagePath } from '../../scan/page-url.ts';
import { createAudit } from '../audit/audit-pages.ts';
import * as checks from '../audit/checks.ts';
import { showArgument, wrong } from '../command-options.ts';
import { loadSiteConfig } from '../settings/load-site-config.ts';
import {
  builtFolder,
  cacheFolder,
  readSiteSettings,
  type SiteFlags,
} from '../settings/site-settings.ts';
import { toCsv } from '../terminal/csv.ts';
import { withNulls } from '../terminal/json-output.ts';
import { type Column, type TextStyle, tableRows } from '../terminal/table.ts';
import { type Command, exitCodes, noteFindings } from '../terminal/terminal.ts';
import { scanFolder } from '../usage/scan-folder.ts';

interface AuditFlags extends SiteFlags {
  readonly csv?: boolean;
  /** Names of checks. One can hold several, separated by commas. */
  readonly failOn?: readonly string[];
}

/** What is printed of an image, in this order. */
const printed = [
  ...(['id', 'name', 'page', 'language', 'as', 'alt', 'credit', 'credited'] as const),
  ...(['rights', 'until', 'origin', 'labelled', 'problems', 'unchecked'] as const),
];

export const audit: Command<AuditFlags, [folder?: string]> = async (flags, terminal, folder) => {
  const failOn = toCheckNames(flags.failOn);
  const { rules, ...known } = await readSiteSettings(flags, terminal);
  const dir = builtFolder(folder, rules, 'audit');
  const config = await loadSiteConfig(terminal, known);
  const cacheDir = cacheFolder(terminal, known);
  const cache = serviceFolder(cacheDir, rules.service ?? lastService(cacheDir) ?? '');
  const audited = createAudit({ rules, cache, ...config, now: Date.now() });
  await scanFolder(dir, { ...rules, pages: undefined }, terminal, audited.add);
  const images = checks.checkImages(audited.images());
  const count = (key: 'problems' | 'unchecked') => {
    const found = images.flatMap((image) => image[key]);
    return Object.fromEntries(
      checks.checkNames.map((name) => [name, found.filter((one) => one === name).length]),
    );
  };
  const [problems, unchecked] = [count('problems'), count('unchecked')];
  const rows = images.map((image) => withNulls(image, ...printed));
  const result = { images: rows, counts: { images: rows.length, problems, unchecked } };
  if (flags.csv) terminal.out(toCsv(printed, rows));
  else terminal.print(result, () => auditText(images, terminal));
  const open = failOn.filter((name) => unchecked[name]);
  const isOpen = open.length > 0;
  const lacking = isOpen ? open : checks.checkNames.filter((name) => unchecked[name]);
  if (lacking.length > 0) {
    const severity = isOpen ? 'error' : 'notice';
    noteFindings([finding(severity, 'audit-incomplete', { checks: lacking })], terminal);
  }
  if (failOn.some((name) => problems[name])) return exitCodes.error;
  return isOpen ? exitCodes.held : exitCodes.done;
};

function toCheckNames(lists: readonly string[] = []): checks.CheckName[] {
  return lists
    .flatMap((list) => list.split(','))
    .map((written) => {
      const known = checks.checkNames.find((name) => name === written.trim());
      const all = checks.checkNames.join(', ');
      return known ?? wrong(`--fail-on ${showArgument(written)} isn't a check. Checks: ${all}.`);
    });
}

/** The most lines of a check. */
const mostLines = 20;

function auditText(images: readonly checks.CheckedImage[], { paint, width }: TextStyle): string {
  if (images.length === 0) return 'No page shows an asset.';
  const indented = { paint, width: width && width - 2 };
  const blocks = checks.checkNames.flatMap((name) => {
    const found = images.filter(({ problems }) => problems.includes(name));
    if (found.length === 0) return [];
    const keyOf = ({ id, language, details }: checks.CheckedImage) =>
      JSON.stringify([id, language, details[name]]);
    const lines = [...Map.groupBy(found, keyOf).values()];
    const columns: Column<readonly checks.CheckedImage[]>[] = [
      { title: 'id', value: ([one]) => String(one?.id), right: true },
      { title: 'name', value: ([one]) => one?.name ?? '' },
      { title: 'language', value: ([one]) => one?.language ?? '' },
      { title: 'what', value: ([one]) => cutTo(60, one?.details[name] ?? '') },
      {
        title: 'pages',
        value: (on) => listNames([...new Set(on.map(({ page }) => pagePath(page)))]),
      },
    ];
    const more = lines.length - mostLines;
    return [
      `${paint.bold(name)}: ${checks.checks[name][0]}`,
      ...tableRows(columns, lines.slice(0, mostLines), indented).map(
        (row) => `  ${row.replaceAll('\n', '\n  ')}`,
      ),
      ...(more > 0 ? [`  … and ${more} more. --csv lists all.`] : []),
      '',
    ];
  });
  const wrong = images.filter(({ problems }) => problems.length > 0).length;
  const assets = new Set(images.map(({ id }) => id)).size;
  const total = `${countOf(assets, 'asset')}, shown ${countOf(images.length, 'time')}`;
  return [...blocks, `${total}: ${countOf(wrong, 'time')} with problems.`].join('\n');
}
