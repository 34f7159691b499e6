import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { mediaAssetError } from '../errors/errors.ts';
import { replaceFile } from '../storage/replace-file.ts';

/** The content of a JSON file in the cache; `undefined` if it has another form or can't be read. */
export async function readCachedJson<T>(
  path: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

export async function writeCachedJson(path: string, value: object): Promise<void> {
  try {
    await replaceFile(path, `${JSON.stringify(value)}\n`, 'anybody');
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path }, { cause });
  }
}
