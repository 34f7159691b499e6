import { z } from 'zod';
import { openDatabase } from '../../../src/emulator/library/open-database.ts';
import { listRequests } from '../../../src/emulator/request-log.ts';
import { signInFields } from './emulator.ts';

/** The service's usages of an asset, as page URLs. */
export interface ListedAsset {
  readonly id: number;
  readonly pages: readonly string[];
}

/** Requests the assets' usages from the service, over HTTP and signed in, like any other client. */
export async function readUsages(url: string, ids: readonly number[]): Promise<ListedAsset[]> {
  const token = await signIn(url);
  return Promise.all(
    ids.map(async (id) => {
      const answer = await readJson(`${url}/1/file/${id}/usage?fields=any`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      return {
        id,
        pages: z
          .array(z.object({ url: z.string() }))
          .parse(answer)
          .map((usage) => usage.url),
      };
    }),
  );
}

/** Counts the usage requests in the emulator's log, reports and removals separately. */
export function countUsageRequests(dataFolder: string): number {
  const database = openDatabase(dataFolder);
  try {
    return listRequests(database).filter(({ path }) => path === '/1/files/multiple/usages').length;
  } finally {
    database.close();
  }
}

async function signIn(url: string): Promise<string> {
  const answer = await readJson(`${url}/1/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', ...signInFields }),
  });
  return z.object({ access_token: z.string() }).parse(answer).access_token;
}

async function readJson(url: string, request: RequestInit): Promise<unknown> {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`The service answered ${url} with ${response.status}.`);
  return response.json();
}
