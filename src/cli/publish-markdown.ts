import { resolve } from 'node:path';
import { appendJobSummary } from '../usage/github-reporter.ts';
import { writeMarkdown } from '../usage/write-markdown.ts';
import { noteFindings, type Terminal } from './terminal.ts';

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
