import { errorCode } from '../storage/error-code.ts';
import { type HeldLock, lockFile } from '../storage/file-lock.ts';
import { parseOwner } from '../storage/lease-owner.ts';
import { pause } from '../storage/pause.ts';

/** How long a process that saves the catalogue waits for the others, in ms. */
const patience = 30_000;

/** A lock that was not renewed for so long is free, in ms: a fraction of the patience. */
const expiry = 10_000;

/** Between two looks at the lock, in ms. */
const look = 40;

/** Somebody else has the lock, or had it since. */
class Taken extends Error {
  readonly lock: string | undefined;

  constructor(lock: string | undefined) {
    super('The lock is taken.');
    this.lock = lock;
  }
}

/**
 * Does something to a file that processes change one after the other. Nobody waits for longer than
 * `patience`: then it is done without the lock.
 *
 * @param act told how to ask, before it writes, whether nobody has taken the lock over; gives whether
 * it has written, and is called again where it has not
 * @returns Why the lock was not held, as the end of a sentence; `undefined` where it was.
 * @throws what `act` throws
 */
export async function lockCatalogue(
  {
    path,
    clock,
    ticks = () => performance.now(),
    sleep = pause,
  }: {
    /** Of the file; the lock lies beside it. */
    path: string;
    /** Milliseconds since the epoch. */
    clock: () => number;
    /** Milliseconds since some moment, from a clock that nobody sets. */
    ticks?: (() => number) | undefined;
    sleep?: ((ms: number) => Promise<unknown>) | undefined;
  },
  act: (isOurs: () => Promise<boolean>) => Promise<boolean>,
): Promise<string | undefined> {
  const end = ticks() + patience;

  async function take(): Promise<HeldLock | string> {
    for (;;) {
      try {
        return await lockFile({
          path: `${path}.lock`,
          clock,
          ticks,
          sleep,
          expiry,
          busy: (lock) => new Taken(lock),
          lost: (lock) => new Taken(lock),
          unwritable: (cause) => cause,
        });
      } catch (thrown) {
        if (!(thrown instanceof Taken) || ticks() >= end) return problemOf(thrown);
        await sleep(look / 2 + Math.random() * look);
      }
    }
  }

  for (;;) {
    const lock = await take();
    if (typeof lock === 'string') {
      await act(async () => true);
      return lock;
    }
    let problem: string | undefined;
    const isOurs = async () => {
      try {
        await lock.renew();
        return true;
      } catch (thrown) {
        problem = problemOf(thrown);
        return ticks() >= end;
      }
    };
    try {
      if (await act(isOurs)) return problem;
    } finally {
      await lock.release();
    }
  }
}

/** As the end of a sentence. Throws what neither the lock nor the file system has answered. */
function problemOf(thrown: unknown): string {
  if (thrown instanceof Taken) {
    const owner = thrown.lock === undefined ? undefined : parseOwner(thrown.lock);
    return owner
      ? `process ${owner.pid} on ${owner.host} has it since ${owner.time}`
      : 'another process has it';
  }
  if (!(thrown instanceof Error && 'syscall' in thrown)) throw thrown;
  return `the file system answers ${errorCode(thrown) ?? 'an error'}`;
}
