import { rmSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import { retryLockedFile } from '../../storage/retry-locked-file.ts';

const schema = z.object({
  version: z.literal(1),
  /** Changes when an earlier build's HTML may be out of date. */
  epoch: z.string(),
  /** Paths of renditions in the HTML, below the assets folder. One per source. */
  renditions: z.array(z.string()),
  /** A digest of the records of their assets. */
  records: z.string().default(''),
  /** Whether an image needs the component's styles. */
  styled: z.boolean(),
});

/** What a build remembers about the images in the HTML that Astro keeps for the next build. */
export type MarkdownMemory = z.output<typeof schema>;

/** The last build's memory, or `undefined` if it can't be read. */
export async function readMemory(path: string): Promise<MarkdownMemory | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Deletes the memory, so that the next build renders everything again. @throws `cache-unusable` */
export function dropMemory(path: string): void {
  try {
    // Node only retries with `recursive` while another process holds the file.
    rmSync(path, { force: true, recursive: true, maxRetries: 10 });
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path }, { cause });
  }
}

/** @throws `cache-unusable` */
export async function writeMemory(path: string, memory: MarkdownMemory): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await retryLockedFile(() => writeFileAtomic(path, `${JSON.stringify(memory)}\n`));
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path }, { cause });
  }
}
