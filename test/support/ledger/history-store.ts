import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { createClient } from 'redis';
import { fileStateStore } from '../../../src/usage/ledger/file-state-store.ts';
import type { LedgerIdentity } from '../../../src/usage/ledger/ledger-identity.ts';
import { redisStateStore } from '../../../src/usage/ledger/redis-state-store.ts';
import type { StateStore } from '../../../src/usage/ledger/state-store.ts';

/** In ms. Long, so that a killed or paused run, whose process lives on here, renews nothing. */
const expiry = 60 * 60 * 1000;

/** Nothing is waited for: a run that has stopped stays as it is. */
const sleep = () => setImmediate();

/** Where the ledger of one history lives. */
export interface HistoryStore {
  /** The store as a further run opens it. */
  open(): StateStore;
  /** Lets so much time go by that every lease runs out. */
  expireLeases(): Promise<void>;
  /** What the place holds, as it is; `undefined` for nothing. */
  content(): Promise<string | undefined>;
  /** Puts such a content there past every check. */
  put(content: string | undefined): Promise<void>;
}

/** Gives an empty place for a new history. */
export type OpenHistoryStore = (identity: LedgerIdentity) => Promise<HistoryStore>;

/** `path` is that of a file which is not there yet. */
export function fileHistoryStore(path: string): HistoryStore {
  return {
    open: () => fileStateStore({ path, sleep, expiry }),
    async expireLeases() {
      const long = new Date(Date.now() - 2 * expiry);
      // Without a lock there is nothing to run out.
      await utimes(`${path}.lock`, long, long).catch(() => {});
    },
    content: () => readFile(path, 'utf8').catch(() => undefined),
    put: (content) =>
      content === undefined ? rm(path, { force: true }) : writeFile(path, content),
  };
}

/** Places in a Redis, the whole of which is emptied for each. */
export async function redisHistoryStores(
  url: string,
): Promise<{ openStore: OpenHistoryStore; close(): Promise<void> }> {
  const admin = createClient({ url }).on('error', () => {});
  await admin.connect();
  return {
    async openStore(identity) {
      await admin.flushAll();
      const open = () => redisStateStore({ url, identity, expiry });
      const key = keyOf(open());
      return {
        open,
        async expireLeases() {
          await admin.del(key.replace(/:ledger$/, ':lease'));
        },
        content: async () => (await admin.get(key)) ?? undefined,
        async put(content) {
          if (content === undefined) await admin.del(key);
          else await admin.set(key, content);
        },
      };
    },
    close: () => admin.close(),
  };
}

/** A store's name ends with its key. */
function keyOf({ name }: StateStore): string {
  return /\S+$/.exec(name)?.[0] ?? '';
}
