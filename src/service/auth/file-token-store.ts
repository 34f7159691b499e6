import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { parseJson } from '../../errors/wording.ts';
import { lockFile } from '../../storage/file-lock.ts';
import { errorCode } from '../../storage/file-problems.ts';
import { underLease } from '../../storage/lease.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import * as stores from './token-store.ts';

const schema = z.object({
  version: z.literal(1, 'expected version 1'),
  tokens: z.record(z.string(), z.unknown()),
});

/** In ms. Longer than a token request with its retries. */
const lockExpiry = 5 * 60 * 1000;

const groupAndOthers = 0o077;

/**
 * A token store in a file of mode 0600, in a folder of mode 0700, with a lock file next to it. One
 * file holds the tokens of many services. Refuses a file that others can read.
 */
export function fileTokenStore(path: string, identity: stores.TokenIdentity): stores.TokenStore {
  const key = stores.identityKey(identity);

  async function readContent(): Promise<z.output<typeof schema>> {
    const text = await readOwn(path);
    if (text === undefined) return { version: 1, tokens: {} };
    // Without its cause: the parser's own message would quote the file.
    return parseJson(text, schema, (problem) => unusable(path, problem));
  }

  const throwFailed = (cause: unknown) => {
    throw failed(path, cause);
  };

  const decode = ({ tokens }: z.output<typeof schema>) =>
    Object.hasOwn(tokens, key) ? stores.parseTokens(tokens[key], path) : undefined;

  return {
    name: path,
    async read() {
      return decode(await readContent());
    },
    async update(change) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(throwFailed);
      const busy = (text: string | undefined) => stores.tokenStoreBusy(path, text);
      const settings = {
        ...{ path: `${path}.lock`, clock: Date.now, expiry: lockExpiry },
        ...{ busy, lost: busy, unwritable: (cause: Error) => failed(path, cause) },
      };
      const taken = stores.waitForTokens(() => lockFile(settings));
      await underLease(taken, async () => {
        const content = await readContent();
        const stored = decode(content);
        const changed = await change(stored);
        if (changed === stored) return;
        const { [key]: _, ...tokens } = content.tokens;
        if (changed !== undefined) tokens[key] = changed;
        const text = `${JSON.stringify({ version: 1, tokens }, undefined, 2)}\n`;
        await replaceFile(path, text).catch(throwFailed);
      });
    },
  };
}

async function readOwn(path: string): Promise<string | undefined> {
  try {
    const mode = (await stat(path)).mode & 0o777;
    // Windows has no such modes. The user's folder protects the file there.
    if (process.platform === 'win32' || (mode & groupAndOthers) === 0)
      return await readFile(path, 'utf8');
    const shown = mode.toString(8).padStart(3, '0');
    throw unusable(path, `other users can read it (mode ${shown})`);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined;
    throw isMediaAssetError(cause) ? cause : failed(path, cause);
  }
}

function failed(path: string, cause: unknown) {
  return unusable(path, `the file system reports ${errorCode(cause) ?? 'unknown'}`, { cause });
}

function unusable(store: string, problem: string, options?: ErrorOptions) {
  return mediaAssetError('token-store-unusable', { store, problem }, options);
}
