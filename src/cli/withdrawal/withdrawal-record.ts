import { join } from 'node:path';
import { countOf } from '../../errors/wording.ts';
import { writeOutput } from '../../storage/replace-file.ts';
import { type Gap, gapText } from '../../usage/ledger/gaps.ts';
import type { LiveState } from './live-site.ts';

/**
 * What knows pages and URLs. `build`: the last build's files. `history`: what builds have published.
 * `ledger`: what the service was told. `service`: what it lists.
 */
export const sources = ['build', 'history', 'ledger', 'service'] as const;
export type KnownFrom = (typeof sources)[number];

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
  /** Why URLs or pages may be unknown. With one, nothing is proved. */
  readonly gaps: readonly Gap[];
  /** A person says that everything published before this time is known, ISO 8601 in UTC. */
  readonly completeBefore: string | null;
  /** The sources of pages and URLs that aren't here, or that don't answer. */
  readonly unknown: readonly KnownFrom[];
  /** The service's usages on pages of other sites. They aren't requested. */
  readonly elsewhere: number;
  readonly pages: readonly (LiveState & { page: string; from: readonly KnownFrom[] })[];
  readonly urls: readonly (LiveState & { url: string })[];
}

/** Writes the record as JSON. @returns the path, relative to the project's folder */
export async function writeWithdrawalRecord(
  directory: string,
  record: WithdrawalRecord,
): Promise<string> {
  const time = record.at.replace(/\.\d+/, '').replace(/[-:]/g, '');
  const file = `.media-asset/withdrawals/${record.id}-${time}.json`;
  await writeOutput(join(directory, file), `${JSON.stringify(record, undefined, 2)}\n`);
  return file;
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

const missing: Readonly<Record<KnownFrom, string>> = {
  build: "The last build isn't here as a whole, so its pages and files aren't known.",
  history: "The publication history is missing, so URLs and pages of earlier builds aren't known.",
  ledger: "The ledger is missing, so reported pages aren't known.",
  service: "The service didn't list the asset's usages.",
};

/** What isn't known, as sentences for people. */
export function unknownOf(record: WithdrawalRecord): string[] {
  const { unknown, since, gaps, completeBefore, elsewhere } = record;
  return [
    ...unknown.map((source) => missing[source]),
    since !== null && `The publication history starts with the build of ${since}.`,
    completeBefore !== null &&
      `Someone stated that everything published before ${completeBefore} is known here, or gone.`,
    gaps.length > 0 && 'URLs and pages may be unknown:',
    ...gaps.map(gapText),
    elsewhere > 0 &&
      `The service lists ${countOf(elsewhere, 'page')} of other sites, which weren't checked.`,
  ].filter((line) => line !== false);
}
