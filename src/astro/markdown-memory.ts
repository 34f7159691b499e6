import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { mediaAssetError } from '../errors.ts';

const schema = z.object({
  version: z.literal(1),
  /** Changes when HTML of an earlier build may be out of date. */
  epoch: z.string(),
  /** Paths of the renditions that the HTML names, below the assets folder. */
  renditions: z.array(z.string()),
  /** Whether a picture needs the component's styles. */
  styled: z.boolean(),
});

/** What is known of the pictures in the HTML that Astro keeps from one build to the next. */
export type MarkdownMemory = z.output<typeof schema>;

/**
 * Takes the memory of the last build, so that a build which fails leaves none: then all HTML is
 * rendered anew. One that cannot be read counts as none.
 */
export async function takeMemory(path: string): Promise<MarkdownMemory | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  await rm(path, { force: true }).catch((cause) => {
    throw mediaAssetError('cache-unusable', { path }, { cause });
  });
  try {
    return schema.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}

/** @throws `cache-unusable` */
export async function writeMemory(path: string, memory: MarkdownMemory): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, `${JSON.stringify(memory)}\n`);
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path }, { cause });
  }
}
