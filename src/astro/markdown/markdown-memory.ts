import { rmSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import { retryLockedFile } from '../../storage/retry-locked-file.ts';

const schema = z.object({
  version: z.literal(1),
  /** Changes when HTML of an earlier build may be out of date. */
  epoch: z.string(),
  /** Paths of renditions that the HTML names, below the assets folder: one of each source. */
  renditions: z.array(z.string()),
  /** Whether a picture needs the component's styles. */
  styled: z.boolean(),
});

/** What is known of the pictures in the HTML that Astro keeps from one build to the next. */
export type MarkdownMemory = z.output<typeof schema>;

/** The memory of the last build; one that cannot be read counts as none. */
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
    // Only with `recursive` Node tries again while another process holds it.
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
