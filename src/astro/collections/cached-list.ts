import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import type { FileData } from './list-collection-files.ts';

const schema = z.object({
  version: z.literal(1),
  /** Which list it is: the service, and the folder or search with its options. */
  list: z.string(),
  /** When the service gave it; milliseconds since the epoch. */
  checked: z.number(),
  files: z.array(z.looseObject({ id: z.number() })),
});

/** The list that a collection was last made from. Astro drops its own entries whenever its config changes. */
export interface CachedList extends z.output<typeof schema> {
  readonly files: FileData[];
}

/** The cached list, if it's the one that is asked for. One that cannot be read counts as none. */
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
