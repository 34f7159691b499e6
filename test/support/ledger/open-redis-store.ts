import { openStateStore } from '../../../src/usage/ledger/open-state-store.ts';

type Place = Parameters<typeof openStateStore>[0];

/** Opens the store of a site in the Redis at this URL: the ledger, unless another kind is named. */
export function openRedisStore({
  url,
  ...place
}: Omit<Place, 'store' | 'root' | 'kind'> & Partial<Pick<Place, 'kind'>> & { url: string }) {
  return openStateStore({ kind: 'ledger', ...place, store: { redis: url }, root: '.' });
}
