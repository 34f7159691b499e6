import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileLock, lockFile } from '../../storage/file-lock.ts';
import { errorCode } from '../../storage/file-problems.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import {
  leaseExpiry,
  ledgerErrors,
  type StateStore,
  type StoredState,
  toStoredState,
} from './state-store.ts';

/** A state store in a file that only its owner can read, with a lock file next to it. */
export function fileStateStore({
  path,
  ...timing
}: Pick<FileLock, 'path'> &
  Partial<Pick<FileLock, 'clock' | 'ticks' | 'sleep' | 'expiry'>>): StateStore {
  const errors = ledgerErrors(path);

  async function ifThere<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (cause) {
      if (errorCode(cause) === 'ENOENT') return undefined;
      throw errors.unreadable(cause);
    }
  }

  /** Reads in chunks, because a large site's ledger takes much memory. */
  const readTag = () =>
    ifThere(async () => {
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(path)) hash.update(chunk);
      return hash.digest('hex');
    });

  async function read(file = path): Promise<StoredState | undefined> {
    const bytes = await ifThere(() => readFile(file));
    if (bytes === undefined) return undefined;
    return toStoredState(bytes, createHash('sha256').update(bytes).digest('hex'));
  }

  return {
    name: path,
    read: () => read(),
    async others() {
      const files = (await ifThere(() => readdir(dirname(path)))) ?? [];
      const named = files.filter((file) => /^ledger-.*\.json$/.test(file));
      const paths = named.map((file) => join(dirname(path), file)).filter((file) => file !== path);
      return (await Promise.all(paths.map(read))).filter((state) => state !== undefined);
    },
    async lock(signal) {
      await checkWritable(path);
      const lease = await lockFile({
        path: `${path}.lock`,
        ...{ clock: Date.now, expiry: leaseExpiry },
        ...timing,
        ...{ signal, ...errors },
      });
      return {
        ...lease,
        async write(chunks, tag) {
          await lease.renew();
          if ((await readTag()) !== tag) throw errors.changed();
          const hash = createHash('sha256');
          try {
            await replaceFile(path, hashed(chunks, hash));
          } catch (cause) {
            throw errors.unwritable(cause);
          }
          return hash.digest('hex');
        },
      };
    },
  };
}

/**
 * Refuses a read-only file. Replacing it needs only rights on its folder, so the write itself
 * wouldn't fail.
 */
async function checkWritable(path: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o222) === 0) throw new Error('The file is read-only.');
    await access(path, constants.W_OK);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return;
    throw ledgerErrors(path).unwritable(cause);
  }
}

/** The same texts. Each is added to the hash when it's read. */
function* hashed(chunks: Iterable<string>, hash: Hash): Generator<string, void> {
  for (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
