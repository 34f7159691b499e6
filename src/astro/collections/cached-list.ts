import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import type { FileData } from './list-collection-files.ts';

const schema = z.object({
  version: z.literal(1),
  /** Identifies the list: the service, and the folder or search with its options. */
  list: z.string(),
  /** When the service sent it, in milliseconds since the epoch. */
  checked: z.number(),
  files: z.array(z.looseObject({ id: z.number() })),
});

/** The last list of a collection. Astro drops its own entries when its config changes. */
export interface CachedList extends z.output<typeof schema> {
  readonly files: FileData[];
}

/** The cached list, or `undefined` if it's another list or can't be read. */
export async function readCachedList(path: string, list: string): Promise<CachedList | undefined> {
  try {
    const cached = schema.parse(JSON.parse(await readFile(path, 'utf8')));
    return cached.list === list ? cached : undefined;
  } catch {
    return undefined;
  }
}

/** @throws `cache-unusable` */
export async function writeCachedList(
  path: string,
  cached: Omit<CachedList, 'version'>,
): Promise<void> {
  try {
    await replaceFile(path, `${JSON.stringify({ version: 1, ...cached })}\n`, 'anybody');
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path }, { cause });
  }
}
