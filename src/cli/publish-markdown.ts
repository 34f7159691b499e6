import { resolve } from 'node:path';
import { appendJobSummary } from '../usage/github-reporter.ts';
import { assertMarkdownWritable, writeMarkdown } from '../usage/write-markdown.ts';
import { noteFindings, type Terminal } from './terminal.ts';

/**
 * Refuses a file for Markdown that could not be written, before anything is done.
 *
 * @throws `markdown-unwritable`
 */
export async function checkMarkdown(
  file: string | undefined,
  { directory }: Pick<Terminal, 'directory'>,
): Promise<void> {
  if (file !== undefined) await assertMarkdownWritable(resolve(directory, file));
}

/**
 * Puts Markdown into the job's summary, where there is one, and into the file that was asked for.
 *
 * @throws `markdown-unwritable` for the file that was asked for
 */
export async function publishMarkdown(
  markdown: string,
  { file, terminal }: { file: string | undefined; terminal: Terminal },
): Promise<void> {
  noteFindings(await appendJobSummary(markdown, terminal.environment), terminal);
  if (file !== undefined) await writeMarkdown(resolve(terminal.directory, file), markdown);
}
