import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { createClient } from 'redis';
import type { LedgerIdentity } from '../../../src/usage/ledger/ledger-identity.ts';
import type { StateKind, StateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { fileStateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { openRedisStore } from './open-redis-store.ts';

/** In ms. Long, so that a killed or paused run, whose process continues here, renews nothing. */
const expiry = 60 * 60 * 1000;

/** Doesn't wait, because a stopped run never changes. */
const sleep = () => setImmediate();

/** The place of one history's ledger. */
interface HistoryStore {
  /** The store, opened as by another run. */
  open(): StateStore;
  /** Makes every lease expire. */
  expireLeases(): Promise<void>;
  /** The place's raw content; `undefined` if it has none. */
  content(): Promise<string | undefined>;
  /** Replaces the content without any check. */
  put(content: string | undefined): Promise<void>;
}

/** The places of a ledger and of the publication history next to it. */
export interface StatePlaces {
  readonly ledger: HistoryStore;
  readonly published: HistoryStore;
}

/** Returns empty places for a new history. */
export type OpenHistoryStore = (identity: LedgerIdentity) => Promise<StatePlaces>;

/** `path` must not exist yet. */
export function fileHistoryStores(path: string): StatePlaces {
  return { ledger: fileHistoryStore(path), published: fileHistoryStore(`${path}.published`) };
}

function fileHistoryStore(path: string): HistoryStore {
  return {
    open: () => fileStateStore({ path, sleep, expiry }),
    async expireLeases() {
      const long = new Date(Date.now() - 2 * expiry);
      // Without a lock, no lease can expire.
      await utimes(`${path}.lock`, long, long).catch(() => {});
    },
    content: () => readFile(path, 'utf8').catch(() => undefined),
    put: (content) =>
      content === undefined ? rm(path, { force: true }) : writeFile(path, content),
  };
}

/** Places in a Redis, which is emptied for each. */
export async function redisHistoryStores(
  url: string,
): Promise<{ openStore: OpenHistoryStore; close(): Promise<void> }> {
  const admin = createClient({ url }).on('error', () => {});
  await admin.connect();
  return {
    async openStore(identity) {
      await admin.flushAll();
      const placeOf = (kind: StateKind): HistoryStore => {
        const open = () => openRedisStore({ url, identity, expiry, kind });
        const key = keyOf(open());
        return {
          open,
          async expireLeases() {
            await admin.del(key.replace(/:\w+$/, ':lease'));
          },
          content: async () => (await admin.get(key)) ?? undefined,
          async put(content) {
            if (content === undefined) await admin.del(key);
            else await admin.set(key, content);
          },
        };
      };
      return { ledger: placeOf('ledger'), published: placeOf('history') };
    },
    close: () => admin.close(),
  };
}

/** The store's name ends with its key. */
function keyOf({ name }: StateStore): string {
  return /\S+$/.exec(name)?.[0] ?? '';
}
