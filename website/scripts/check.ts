/**
 * Builds the website under a base path and checks it: `npm run check`. With `-- --all`, every page is
 * opened in six windows, and two more builds prove that it works at the root, and that a dead link fails.
 */
import { appendFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, openBrowser } from '../../test/support/browser/browser.ts';
import { serveFolder } from '../../test/support/site/serve-folder.ts';
import { digestOf } from './checks/digest-of.ts';
import { findFileProblems } from './checks/find-file-problems.ts';
import { findPackageProblems } from './checks/find-package-problems.ts';
import { findPageProblems } from './checks/find-page-problems.ts';
import { findSearchProblems } from './checks/find-search-problems.ts';
import { findUsageProblems } from './checks/find-usage-problems.ts';
import { dist, type Run, type Website, withEmulator } from './website.ts';

const isFull = process.argv.includes('--all');
const docs = fileURLToPath(new URL('../../docs', import.meta.url));
const origin = 'https://docs.example';
const base = '/x/';
const scratch = await mkdtemp(join(tmpdir(), 'website-'));

try {
  const problems: string[] = [];
  if (isFull) {
    const atRoot = await build({ WEBSITE_URL: `${origin}/` });
    if (atRoot.exitCode !== 0) problems.push('The build at the root fails.');
    const planted = join(scratch, 'docs');
    await cp(docs, planted, { recursive: true });
    await appendFile(join(planted, 'tutorial.md'), '\n[Nowhere](guides/images.md#nowhere)\n');
    const { exitCode, output } = await build({ WEBSITE_URL: origin + base, WEBSITE_DOCS: planted });
    if (exitCode === 0 || !/guides\/images\/#nowhere/.test(output)) {
      problems.push('A link to a heading that is missing fails no build.');
    }
  }
  const before = await digestOf(docs);
  await withEmulator(async (website) => {
    const { exitCode } = await website.astro('build', { WEBSITE_URL: origin + base });
    if (exitCode !== 0) throw new Error('The build fails.');
    problems.push(...findUsageProblems({ emulator: website.emulator, address: origin + base }));
  });
  if ((await digestOf(docs)) !== before) problems.push('The build has changed docs/.');
  problems.push(...(await findFileProblems({ dist, docs, base })));
  problems.push(...(await findPackageProblems()), ...(await browse()));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  console.log('The website is as it should be.');
} finally {
  await rm(scratch, { recursive: true });
}

function build(variables: Parameters<Website['astro']>[1]): Promise<Run> {
  return withEmulator(({ astro }) => astro('build', variables));
}

/** What a reader meets in a browser. */
async function browse(): Promise<string[]> {
  const chromium = findChromium();
  if (!chromium) return [];
  await symlink(dist, join(scratch, 'x'), 'junction');
  const host = await serveFolder(scratch);
  const browser = await openBrowser(chromium);
  try {
    const website = { browser, url: `${host.url}${base}`, dist };
    return [...(await findSearchProblems(website)), ...(await findPageProblems(website, isFull))];
  } finally {
    await browser.close();
    host.close();
  }
}
