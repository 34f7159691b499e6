import { z } from 'zod';
import { checkArgument } from './check-argument.ts';
import { assertAssetId } from './download-url.ts';
import type { Usage, UsageRequest } from './media-service.ts';
import type { Reader } from './receive-answer.ts';
import type { Call } from './service-context.ts';
import { signalArgument } from './signal-argument.ts';
import { toUsageBody } from './to-usage-body.ts';

/** How long a request under way may still be answered once the run is to end, in ms. */
const grace = 1000;

const reportRequest = z.strictObject({
  signal: signalArgument,
  beforeAttempt: z
    .custom<() => Promise<void>>((value) => typeof value === 'function', 'expected a function')
    .optional(),
});

/**
 * The call that reports or removes one usage (sections 2.1, 2.2 and 4). Throws as `toUsageBody` does.
 */
export function usageCall(baseUrl: string, usage: Usage, request: UsageRequest = {}): Call {
  const body = JSON.stringify(toUsageBody(usage));
  const check = { place: 'usages.report()', name: 'request', schema: reportRequest };
  const { signal, beforeAttempt } = checkArgument(check, request);
  const url = `${baseUrl}/1/files/multiple/usages`;
  const what = usage.removed ? 'removal of the usage' : 'report of the usage';
  const assets = `${usage.ids.length === 1 ? 'asset' : 'assets'} ${namesOf(usage.ids)}`;
  return {
    kind: usage.removed ? 'usage-removal' : 'usage-report',
    name: `the ${what} of ${assets} on ${usage.page} (POST ${url})`,
    request: {
      method: 'POST',
      url,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body,
    },
    signal,
    grace,
    beforeAttempt,
  };
}

const listRequest = z.strictObject({ signal: signalArgument });

/**
 * The call that reads the usages of an asset, which the interface does not show. Throws
 * `asset-id-invalid`, `argument-invalid`.
 */
export function usageListCall(
  baseUrl: string,
  id: number,
  request: { readonly signal?: AbortSignal | undefined } = {},
): Call {
  const place = 'usages.list';
  assertAssetId(id, place);
  const check = { place: `${place}()`, name: 'request', schema: listRequest };
  const { signal } = checkArgument(check, request);
  const url = `${baseUrl}/1/file/${id}/usage?fields=any`;
  const headers = { accept: 'application/json' };
  const name = `the usages of asset ${id} (GET ${url})`;
  return { kind: 'read', name, request: { method: 'GET', url, headers }, signal };
}

/** The first ids of a request, as a message names them. */
function namesOf(ids: readonly number[]): string {
  const shown = ids.slice(0, 5).join(', ');
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}

/**
 * Any 2xx with nothing, with JSON or with plain text says that the usage is recorded: its answer is
 * not shown in section 4. What can be no answer has been refused before.
 */
export const readUsageAnswer: Reader<void> = () => ({ value: undefined });
