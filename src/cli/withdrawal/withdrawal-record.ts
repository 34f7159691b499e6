import { join } from 'node:path';
import { countOf } from '../../errors/wording.ts';
import { writeOutput } from '../../storage/replace-file.ts';
import { escapeMarkdown } from '../../usage/output/publish-markdown.ts';
import type { Source } from './find-published.ts';
import type { LiveState } from './live-site.ts';

/** What one run of `media-asset withdraw` has found, to be filed. */
export interface WithdrawalRecord {
  readonly version: 1;
  readonly id: number;
  /** In the service, if the last build knows it. */
  readonly name: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly site: string;
  readonly service: string;
  /** Whether it's proved that no URL gives out the asset and no page names it. */
  readonly gone: boolean;
  /** The start of the first build in the publication history, ISO 8601 in UTC. */
  readonly since: string | null;
  /** Whether the publication history has every build that was reported. */
  readonly isWhole: boolean;
  /** The sources of pages and URLs that aren't here, or that don't answer. */
  readonly unknown: readonly Source[];
  /** The service's usages on pages of other sites. They aren't requested. */
  readonly elsewhere: number;
  readonly pages: readonly (LiveState & { page: string; from: readonly Source[] })[];
  readonly urls: readonly (LiveState & { url: string })[];
}

const folder = '.media-asset/withdrawals';

/**
 * Writes the record as JSON and Markdown.
 *
 * @returns the paths, relative to the project's folder
 */
export async function writeWithdrawalRecord(
  directory: string,
  record: WithdrawalRecord,
): Promise<{ json: string; markdown: string }> {
  const name = `${folder}/${record.id}-${record.at.replace(/\.\d+/, '').replace(/[-:]/g, '')}`;
  const files = { json: `${name}.json`, markdown: `${name}.md` };
  await writeOutput(join(directory, files.json), `${JSON.stringify(record, undefined, 2)}\n`);
  await writeOutput(join(directory, files.markdown), toMarkdown(record));
  return files;
}

export function resultOf({ pages, urls, gone }: WithdrawalRecord): string {
  if (gone) {
    const counts = `${countOf(urls.length, 'URL')} and ${countOf(pages.length, 'page')}`;
    return `${counts} were requested, and none has the asset.`;
  }
  const left = [leftOf(urls, 'URL'), leftOf(pages, 'page')].flat().join(' and ');
  return left
    ? `${left} may still have the asset.`
    : "Nothing is proved, because the asset's URLs aren't all known.";
}

function leftOf(states: readonly Pick<LiveState, 'gone'>[], what: string): string[] {
  const left = states.filter(({ gone }) => !gone).length;
  return left > 0 ? [`${left} of ${countOf(states.length, what)}`] : [];
}

const missing: Readonly<Record<Source, string>> = {
  build: "The last build isn't here as a whole, so its pages and files aren't known.",
  history: "The publication history is missing, so URLs and pages of earlier builds aren't known.",
  ledger: "The ledger is missing, so reported pages aren't known.",
  service: "The service didn't list the asset's usages.",
};

/** What isn't known, as sentences for people. */
export function unknownOf({ unknown, since, isWhole, elsewhere }: WithdrawalRecord): string[] {
  return [
    ...unknown.map((source) => missing[source]),
    ...(since === null ? [] : [`The publication history starts with the build of ${since}.`]),
    ...(since === null || isWhole
      ? []
      : ["It lacks builds that were reported, so their URLs and pages aren't known."]),
    ...(elsewhere > 0
      ? [`The service lists ${countOf(elsewhere, 'page')} of other sites, which weren't checked.`]
      : []),
  ];
}

function toMarkdown(record: WithdrawalRecord): string {
  const { id, name, at, site, service, pages, urls } = record;
  const table = (head: string[], rows: string[][]) =>
    rows.length === 0
      ? 'None is known.'
      : [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
  const result = `${record.gone ? 'Gone' : 'Not proved'}: ${resultOf(record)}`;
  const facts = { Date: at, Site: site, Service: service, Result: result };
  return [
    `# Withdrawal of asset ${id}${name ? ` (${escapeMarkdown(name)})` : ''}`,
    table(['', ''], Object.entries(facts)),
    unknownOf(record)
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
    '## Pages that showed the asset',
    table(
      ['page', 'known from', 'answer'],
      pages.map((one) => [codeOf(one.page), one.from.join(', '), answerOf(one)]),
    ),
    '## URLs of the asset',
    table(
      ['URL', 'answer'],
      urls.map((one) => [codeOf(one.url), answerOf(one)]),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** A URL as it is, to be copied. */
function codeOf(url: string): string {
  return `\`${url.replace(/[`|\s]/g, encodeURIComponent)}\``;
}

function answerOf({ status, gone, reason = '' }: LiveState): string {
  const answer = [status ?? 'no answer', gone ? 'gone' : reason];
  return escapeMarkdown(answer.filter(Boolean).join(': '));
}
