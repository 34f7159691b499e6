import { createHash, randomUUID } from 'node:crypto';
import { readFile, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { mediaAssetError } from '../errors.ts';
import type { UploadResume } from '../service/upload-error.ts';
import { errorCode } from '../storage/error-code.ts';
import { removeFile } from '../storage/outlast-hold.ts';
import { replaceFile } from '../storage/replace-file.ts';

const schema = z.object({
  version: z.literal(1),
  /** In bytes. */
  size: z.number(),
  /** Milliseconds since the epoch. */
  modified: z.number(),
  id: z.int().optional(),
  /** What an upload that failed goes on with; missing where the file is in the service. */
  resume: z
    .object({
      id: z.int().optional(),
      uploadUrl: z.string(),
      size: z.number(),
      uploaded: z.boolean(),
    })
    .optional(),
});

/** More than the state of one file takes, in bytes. */
const longest = 4096;

/** What is kept of one file of an upload that did not come to its end. */
export interface UploadState {
  readonly size: number;
  readonly modified: number;
  readonly id: number | undefined;
  readonly resume: UploadResume | undefined;
}

/** What an upload is told apart by. */
export interface UploadKey {
  readonly service: string;
  readonly folder: number;
  /** An absolute path. */
  readonly file: string;
}

/** The unfinished uploads of a project, each in a file for its owner only: an address is a secret. */
export interface UploadRecords {
  /** Whether there is right and room to write, before there is something that must be kept. */
  assertWritable(): Promise<void>;
  read(key: UploadKey): Promise<UploadState | undefined>;
  write(key: UploadKey, state: UploadState): Promise<void>;
  remove(key: UploadKey): Promise<void>;
}

/** Methods fail with `upload-state-unusable`. */
export function openUploadRecords(directory: string): UploadRecords {
  const folder = join(directory, '.media-asset/uploads');
  const pathOf = (key: UploadKey) => {
    const digest = createHash('sha256').update(JSON.stringify([key.service, key.folder, key.file]));
    return join(folder, `${digest.digest('hex').slice(0, 32)}.json`);
  };
  /** Leaves no empty folder where nothing is kept. */
  async function tidy(): Promise<void> {
    for (const empty of [folder, dirname(folder)]) await rmdir(empty).catch(() => {});
  }
  return {
    assertWritable: () =>
      guarded(folder, async () => {
        const path = join(folder, `${randomUUID()}.probe`);
        await replaceFile(path, ' '.repeat(longest));
        await removeFile(path);
        await tidy();
      }),
    async read(key) {
      const path = pathOf(key);
      return guarded(path, async () => {
        const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return undefined;
          throw error;
        });
        if (text === undefined) return undefined;
        const { size, modified, id, resume } = schema.parse(JSON.parse(text));
        return { size, modified, id, resume };
      });
    },
    write: (key, state) =>
      guarded(pathOf(key), () =>
        replaceFile(pathOf(key), `${JSON.stringify({ version: 1, ...state })}\n`),
      ),
    remove: (key) =>
      guarded(pathOf(key), async () => {
        await removeFile(pathOf(key));
        await tidy();
      }),
  };
}

async function guarded<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    // Without its cause: a parser would quote the address.
    const problem = errorCode(thrown) ?? 'it is damaged';
    throw mediaAssetError('upload-state-unusable', { path, problem });
  }
}
