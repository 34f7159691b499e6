import { z } from 'zod';
import type { Reader } from '../http/receive-answer.ts';
import { type Call, sendJson } from '../http/service-context.ts';
import type { Usage, UsageRequest } from '../types.ts';
import { checkArgument, functionArgument, signalArgument } from './check-argument.ts';
import { assertAssetId } from './download-url.ts';

/** How long a request in progress may take after the run is aborted, in ms. */
const grace = 1000;

const reportRequest = z.strictObject({
  signal: signalArgument,
  beforeAttempt: functionArgument<() => Promise<void>>(),
});

/** Reports or removes one usage (sections 2.1, 2.2 and 4). Throws like `toUsageBody`. */
export function usageCall(baseUrl: string, usage: Usage, request: UsageRequest = {}): Call {
  const body = toUsageBody(usage);
  const check = { place: 'usages.report()', name: 'request', schema: reportRequest };
  const { signal, beforeAttempt } = checkArgument(check, request);
  const url = `${baseUrl}/1/files/multiple/usages`;
  const what = usage.removed ? 'removal of the usage' : 'report of the usage';
  const assets = `${usage.ids.length === 1 ? 'asset' : 'assets'} ${namesOf(usage.ids)}`;
  return {
    kind: usage.removed ? 'usage-removal' : 'usage-report',
    name: `the ${what} of ${assets} on ${usage.page} (POST ${url})`,
    request: sendJson('POST', url, body),
    signal,
    grace,
    beforeAttempt,
  };
}

function namesOf(ids: readonly number[]): string {
  const shown = ids.slice(0, 5).join(', ');
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}

/**
 * Accepts any answer that gets this far, because section 4 doesn't show one: empty, JSON or plain
 * text. HTML and failures are refused earlier.
 */
export const readUsageAnswer: Reader<void> = () => ({ value: undefined });

/** Maximum length of a text, in UTF-16 units: generous, but safe for memory. */
const maxLength = 1024 ** 2;

const text = z
  .string('expected a string')
  .max(maxLength, `expected a string of at most ${maxLength} characters`)
  .refine((value) => value.isWellFormed(), 'expected well-formed Unicode');

const usageArgument = z.object(
  {
    ids: z.array(z.unknown(), 'expected a list of asset IDs'),
    page: text.refine(isPageUrl, 'expected an absolute http: or https: URL'),
    pageName: text,
    project: text,
    contact: text,
    description: text,
    date: z.iso.date('expected a day such as 2026-03-31'),
    removed: z.boolean('expected true or false'),
    amount: text.regex(/^\d+$/, 'expected digits').optional(),
    types: z
      .array(text.min(1, 'expected a type such as web'), 'expected a list of types')
      .optional(),
  },
  'expected a usage',
);

function isPageUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

/**
 * The body of `POST /1/files/multiple/usages` (section 2.1), with fields in that order. Throws
 * `argument-invalid`, or `asset-id-invalid` if `ids` is empty or holds anything else.
 */
export function toUsageBody(usage: Usage) {
  checkArgument({ place: 'usages.report()', name: 'usage', schema: usageArgument }, usage);
  if (usage.ids.length === 0) assertAssetId(undefined, usage.page);
  for (const id of usage.ids) assertAssetId(id, usage.page);
  return {
    id: usage.ids,
    contact: usage.contact,
    date: usage.date,
    amount: usage.amount ?? '1',
    description: usage.description,
    project: usage.project,
    types: usage.types ?? ['web'],
    removed: usage.removed ? 'true' : 'false',
    web: { page: usage.page, pageName: usage.pageName },
  };
}
