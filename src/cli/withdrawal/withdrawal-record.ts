import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import { countOf } from '../../errors/wording.ts';
import { errorCode } from '../../storage/error-code.ts';
import { writeProblem } from '../../storage/output-file.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import { escapeMarkdown, tableRow } from '../../usage/output/escape-markdown.ts';

const schema = z.object({
  version: z.literal(1),
  id: z.int(),
  /** In the service, if the last build knows it. */
  name: z.string().nullable(),
  /** ISO 8601, UTC. */
  at: z.string(),
  site: z.string(),
  service: z.string(),
  /** Whether all URLs answered 404 or 410. */
  gone: z.boolean(),
  pages: z.array(z.object({ page: z.string(), from: z.array(z.enum(['build', 'ledger'])) })),
  urls: z.array(
    z.object({
      url: z.string(),
      status: z.int().nullable(),
      gone: z.boolean(),
      reason: z.string().optional(),
    }),
  ),
});

/** What one run of `media-asset withdraw` has found, to be filed. */
export type WithdrawalRecord = z.output<typeof schema>;

const folder = '.media-asset/withdrawals';

/**
 * The URLs that earlier runs have found for an asset. Builds forget the addresses of a withdrawn asset
 * some day, and a fresh checkout doesn't know them.
 *
 * @throws `withdrawal-broken`
 */
export async function earlierUrls(directory: string, id: number): Promise<string[]> {
  const urls: string[] = [];
  for (const name of await recordNames(directory, id)) {
    const path = join(directory, folder, name);
    const read = await readFile(path, 'utf8');
    const parsed = schema.safeParse(parseJson(read));
    if (!parsed.success) throw mediaAssetError('withdrawal-broken', { path });
    urls.push(...parsed.data.urls.map(({ url }) => url));
  }
  return urls;
}

async function recordNames(directory: string, id: number): Promise<string[]> {
  try {
    const names = await readdir(join(directory, folder));
    return names.filter((name) => name.startsWith(`${id}-`) && name.endsWith('.json')).sort();
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Writes the record as JSON and Markdown.
 *
 * @returns the paths, relative to the project's folder
 * @throws `file-unwritable`
 */
export async function writeWithdrawalRecord(
  directory: string,
  record: WithdrawalRecord,
): Promise<{ json: string; markdown: string }> {
  const name = `${folder}/${record.id}-${record.at.replace(/\.\d+/, '').replace(/[-:]/g, '')}`;
  const files = { json: `${name}.json`, markdown: `${name}.md` };
  const texts = {
    [files.json]: `${JSON.stringify(record, undefined, 2)}\n`,
    [files.markdown]: toMarkdown(record),
  };
  for (const [file, text] of Object.entries(texts)) {
    const path = join(directory, file);
    try {
      await replaceFile(path, text, 'anybody');
    } catch (cause) {
      throw mediaAssetError('file-unwritable', { path, problem: writeProblem(cause) }, { cause });
    }
  }
  return files;
}

/** A URL as it is, to be copied. */
function codeOf(url: string): string {
  return `\`${url.replace(/[`|\s]/g, encodeURIComponent)}\``;
}

function toMarkdown({ id, name, at, site, service, gone, pages, urls }: WithdrawalRecord): string {
  const left = urls.filter((one) => !one.gone).length;
  const result = gone
    ? `None of the ${countOf(urls.length, 'URL')} gives out the asset anymore: each answered 404 or 410.`
    : `${left} of ${countOf(urls.length, 'URL')} didn't answer 404 or 410.`;
  const table = (head: string[], rows: string[][]) =>
    [head, head.map(() => '---'), ...rows].map((cells) => tableRow(cells)).join('\n');
  return [
    `# Withdrawal of asset ${id}${name ? ` (${escapeMarkdown(name)})` : ''}`,
    table(
      ['', ''],
      [
        ['Date', at],
        ['Site', site],
        ['Service', service],
        ['Result', result],
      ],
    ),
    '## Pages that showed the asset',
    pages.length === 0
      ? 'None.'
      : table(
          ['page', 'known from'],
          pages.map(({ page, from }) => [codeOf(page), from.join(', ')]),
        ),
    '## URLs of the asset',
    table(
      ['URL', 'answer'],
      urls.map(({ url, status, reason = '' }) => [
        codeOf(url),
        status === null ? `none: ${escapeMarkdown(reason)}` : String(status),
      ]),
    ),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
