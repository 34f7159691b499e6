import { mediaAssetError } from '../errors.ts';
import { outputProblem, writeProblem } from '../storage/output-file.ts';
import { replaceFile } from '../storage/replace-file.ts';

/** Whether Markdown may be written to a path. Throws `markdown-unwritable`. */
export async function assertMarkdownWritable(path: string): Promise<void> {
  const problem = await outputProblem(path);
  if (problem) throw mediaAssetError('markdown-unwritable', { path, problem });
}

/**
 * Writes Markdown for a review comment: to a temporary file, then renamed.
 *
 * @throws `markdown-unwritable`
 */
export async function writeMarkdown(path: string, markdown: string): Promise<void> {
  await assertMarkdownWritable(path);
  try {
    await replaceFile(path, markdown, 'anybody');
  } catch (cause) {
    const problem = writeProblem(cause);
    throw mediaAssetError('markdown-unwritable', { path, problem }, { cause });
  }
}
