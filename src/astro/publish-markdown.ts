import { resolve } from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { isMediaAssetError } from '../errors.ts';
import { appendJobSummary } from '../usage/github-reporter.ts';
import { writeMarkdown } from '../usage/write-markdown.ts';
import { logFinding } from './log-finding.ts';

/**
 * Puts Markdown into the job's summary, where there is one, and into the file that the options
 * name. What could not be written is a warning: the usages are as they are.
 */
export async function publishMarkdown(
  markdown: string,
  {
    file,
    root,
    logger,
  }: { file: string | undefined; root: string; logger: AstroIntegrationLogger },
): Promise<void> {
  for (const found of await appendJobSummary(markdown, process.env)) logFinding(logger, found);
  if (file === undefined) return;
  try {
    await writeMarkdown(resolve(root, file), markdown);
  } catch (error) {
    if (!isMediaAssetError(error, 'markdown-unwritable')) throw error;
    logger.warn(`${error.message} ${error.hint}`);
  }
}
