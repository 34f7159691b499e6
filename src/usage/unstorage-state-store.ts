import { createHash } from 'node:crypto';
import { type Code, isMediaAssetError, mediaAssetError } from '../errors.ts';
import type { KeyValueStorage } from '../options.ts';
import { startHeartbeat } from '../storage/heartbeat.ts';
import { leaseTimes } from '../storage/lease-times.ts';
import { pause } from '../storage/pause.ts';
import { busy, changed, leaseExpiry, lost } from './ledger-busy.ts';
import { type LedgerIdentity, ledgerName } from './ledger-identity.ts';
import type { StateStore, StoredState } from './state-store.ts';
import { leaseItem } from './unstorage-lease.ts';

/**
 * Stands before the text: some drivers turn whatever looks like JSON into an object, and others cut
 * a value short without a word.
 */
const heading = /^media-asset ledger sha256-([0-9a-f]{64})\n/;

/**
 * A state store in any driver of unstorage. None of them can replace a value only where it is
 * unchanged, so compare-and-swap and lease are best effort: read, compare, write, pause, read again.
 * They hold where the driver returns what was last written and where a run writes its lease item
 * within `settle` of having read it. A store that answers with old values for a while (Cloudflare
 * KV) is refused with `ledger-changed` as soon as a write does not come back.
 */
export function unstorageStateStore({
  storage,
  identity,
  clock = Date.now,
  ticks = () => performance.now(),
  settle = 500,
  sleep = pause,
  expiry = leaseExpiry,
}: {
  storage: KeyValueStorage;
  identity: LedgerIdentity;
  /** Milliseconds since the epoch. Those of two machines may differ by minutes. */
  clock?: () => number;
  /** Milliseconds since some moment, from a clock that nobody sets. */
  ticks?: () => number;
  /** Between writing a lease and reading it again, in ms. */
  settle?: number;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** How long the lease of a run holds that has stopped renewing it, in ms. */
  expiry?: number;
}): StateStore {
  const prefix = prefixOf(identity);
  const key = `${prefix}:ledger`;
  const name = `unstorage ${key}`;

  async function driver<T>(act: () => Promise<T>, code: UnusableCode): Promise<T> {
    try {
      return await act();
    } catch (cause) {
      if (isMediaAssetError(cause)) throw cause;
      throw mediaAssetError(code, { path: name }, { cause });
    }
  }

  async function keepAside(): Promise<string> {
    const text = toText(await driver(() => storage.getItem(key), 'ledger-unreadable')) ?? '';
    const copy = `${prefix}:broken-${tagOf(text).slice(0, 8)}`;
    await driver(async () => {
      if ((await storage.getItem(copy)) === null) await storage.setItem(copy, text);
    }, 'ledger-unwritable');
    return copy;
  }

  async function read(from = key): Promise<StoredState | undefined> {
    const value = toText(await driver(() => storage.getItem(from), 'ledger-unreadable'));
    if (value === undefined) return undefined;
    const [head = '', expected] = heading.exec(value) ?? [];
    const text = value.slice(head.length);
    const tag = tagOf(text);
    const isWhole = expected === undefined || expected === tag;
    return isWhole ? { text, tag } : { text, tag, problem: 'it is not as it was written' };
  }

  return {
    name,
    guarantee: 'best-effort',
    read: () => read(),
    readOther: (other) => read(`${prefixOf(other)}:ledger`),
    async lock(signal) {
      const item = leaseItem({ storage, key: `${prefix}:lease`, clock, ticks, sleep, expiry });
      const renewOr = (refusal: (owner: string | undefined) => Error) =>
        driver(async () => {
          const { isOwn, owner } = await item.renew();
          if (!isOwn) throw refusal(owner);
        }, 'store-unreachable');
      const renew = () => renewOr((owner) => lost(name, owner));
      try {
        await driver(async () => {
          const other = await item.take(signal);
          if (other !== undefined) throw busy(name, other);
        }, 'ledger-unwritable');
        await sleep(settle);
        // Whoever came at the same moment may have ended by now.
        await renewOr((owner = '') => busy(name, owner));
      } catch (error) {
        await item.release();
        throw error;
      }
      const stop = startHeartbeat(renew, leaseTimes(expiry).beat);
      return {
        renew,
        async write(chunks, tag) {
          await renew();
          if ((await read())?.tag !== tag) throw changed(name);
          const text = [...chunks].join('');
          const next = tagOf(text);
          const value = `media-asset ledger sha256-${next}\n${text}`;
          await driver(() => storage.setItem(key, value), 'ledger-unwritable');
          if ((await read())?.tag !== next) throw changed(name);
          return next;
        },
        async release() {
          await stop();
          await item.release();
        },
      };
    },
    keepAside,
  };
}

type UnusableCode = Extract<Code, 'ledger-unreadable' | 'ledger-unwritable' | 'store-unreachable'>;

/** What a driver gives back for a text: the text, or what it took for JSON, parsed. */
function toText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function prefixOf(identity: LedgerIdentity): string {
  return `media-asset:${ledgerName(identity)}`;
}

function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
