import { mediaAssetError } from '../errors.ts';
import { replaceFile } from '../storage/replace-file.ts';

/**
 * Writes Markdown for a review comment: to a temporary file, then renamed.
 *
 * @throws `markdown-unwritable`
 */
export async function writeMarkdown(path: string, markdown: string): Promise<void> {
  try {
    await replaceFile(path, markdown, 'anybody');
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw mediaAssetError('markdown-unwritable', { path, problem }, { cause });
  }
}
