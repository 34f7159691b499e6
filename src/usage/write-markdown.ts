import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { mediaAssetError } from '../errors.ts';

/**
 * Writes Markdown for a review comment: to a temporary file, then renamed.
 *
 * @throws `markdown-unwritable`
 */
export async function writeMarkdown(path: string, markdown: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, markdown);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw mediaAssetError('markdown-unwritable', { path, problem }, { cause });
  }
}
