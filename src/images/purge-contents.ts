import cacache from 'cacache';
import { retryLockedFile } from '../storage/retry-locked-file.ts';
import { isGone } from './outlive-clear.ts';

/** Deletes entries of a cacache folder together with their bytes. */
export interface Purge {
  /** Notes that an entry has a new version; the bytes of the earlier ones go with the next sweep. */
  replaced(key: string): void;
  /** Deletes entries in all their versions. */
  erase(matches: (key: string) => boolean): Promise<void>;
  /** Deletes the earlier versions of replaced entries. */
  sweep(): Promise<void>;
}

/**
 * The index file of an entry keeps a line for each version that it ever had, until it is rewritten
 * here: so bytes of earlier versions are found also after a process was killed.
 */
export function createPurge(folder: string): Purge {
  const replaced = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  let waiting: ((key: string) => boolean)[] = [];
  let next: Promise<void> | undefined;

  /** One after the other: what one still needs, the next must not delete. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  }

  async function erase(matches: (key: string) => boolean): Promise<void> {
    const keys = (await entries()).filter(({ key }) => matches(key)).map(({ key }) => key);
    const contents = new Set<string>();
    for (const key of keys) {
      await rewrite(key, (integrity) => {
        if (integrity) contents.add(integrity);
        return false;
      });
      replaced.delete(key);
    }
    await deleteUnused(contents);
  }

  async function sweep(): Promise<void> {
    const contents = new Set<string>();
    for (const key of replaced) {
      await rewrite(key, (integrity) => {
        if (integrity) contents.add(integrity);
        return Boolean(integrity);
      });
    }
    replaced.clear();
    await deleteUnused(contents);
  }

  /** Leaves the newest version of those that are kept in the index. */
  async function rewrite(key: string, isKept: (integrity: string) => boolean): Promise<void> {
    const isSame = (one: { key: string }, other: { key: string }) => one.key === other.key;
    const validateEntry = ({ integrity }: { integrity: string }) => isKept(integrity);
    const compact = () => cacache.index.compact(folder, key, isSame, { validateEntry });
    await retryLockedFile(compact).catch((thrown: unknown) => {
      // Another process has just cleared it.
      if (!isGone(thrown)) throw thrown;
    });
  }

  async function deleteUnused(contents: ReadonlySet<string>): Promise<void> {
    if (contents.size === 0) return;
    const used = new Set((await entries()).map(({ integrity }) => integrity));
    for (const content of contents) {
      if (!used.has(content)) await retryLockedFile(() => cacache.rm.content(folder, content));
    }
  }

  async function entries() {
    return Object.values(await cacache.ls(folder));
  }

  return {
    replaced: (key) => void replaced.add(key),
    erase(matches) {
      waiting.push(matches);
      // Each time costs a walk through the whole index, so those that wait share one.
      next ??= inTurn(() => {
        const together = waiting;
        waiting = [];
        next = undefined;
        return erase((key) => together.some((one) => one(key)));
      });
      return next;
    },
    sweep: () => inTurn(sweep),
  };
}
