import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { mediaAssetError } from '../errors.ts';
import { outlastHold } from '../storage/outlast-hold.ts';
import type { FileData, WantedFiles } from './wanted-files.ts';

const schema = z.object({
  version: z.literal(1),
  /** When the service gave the list; milliseconds since the epoch. */
  checked: z.number(),
  files: z.array(z.looseObject({ id: z.number() })),
});

/** A list as the service gave it last. */
export interface KeptList {
  readonly checked: number;
  readonly files: readonly FileData[];
}

/** Where a list is kept. Astro's own store of entries is emptied by every change of its config. */
export function keptListPath(
  folder: string,
  { service, wanted }: { service: string; wanted: WantedFiles },
): string {
  const text = JSON.stringify([service, Object.entries(wanted).sort()]);
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return join(folder, 'lists', `${name}.json`);
}

/** `undefined` where there is none that can be read. */
export async function readKeptList(path: string): Promise<KeptList | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** @throws `cache-unusable` */
export async function writeKeptList(path: string, list: KeptList): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const text = `${JSON.stringify({ version: 1, ...list })}\n`;
    await outlastHold(() => writeFileAtomic(path, text));
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path }, { cause });
  }
}
