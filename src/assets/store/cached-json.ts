import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import { replaceFile } from '../../storage/replace-file.ts';

/** The content of a JSON file in the cache; `undefined` if it has another form or can't be read. */
export function readCachedJson<T>(path: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Writing it again reports what is wrong with the file system.
    return undefined;
  }
}

export async function writeCachedJson(path: string, value: object): Promise<void> {
  try {
    await replaceFile(path, `${JSON.stringify(value)}\n`, 'cache');
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path }, { cause });
  }
}
