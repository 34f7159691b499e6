import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import fastGlob from 'fast-glob';
import { removeFolder } from '../../assets/store/asset-folder.ts';
import { sitemapFile } from '../../config/options.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { ignoreMissing } from '../../storage/file-problems.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import { removeFile } from '../../storage/retry-locked-file.ts';
import { resolveAstro } from '../settings/load-site-config.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type BuildFacts, readFacts } from './compare-builds.ts';

const run = promisify(execFile);

/** The most characters of a failed build's output. */
const longest = 2000;

/**
 * Builds the site into a temporary folder, reports nothing, and puts back the rules that the last build
 * has left, which are about its own output. The ledger next to them isn't touched.
 *
 * @returns what the files show, which is nothing if an adapter writes them elsewhere
 *
 * @throws `import-build-failed`, `astro-missing`
 */
export async function buildFacts(
  { directory, environment, signal }: Pick<Terminal, 'directory' | 'environment' | 'signal'>,
  when: 'before' | 'after',
): Promise<BuildFacts> {
  // On the project's disk, because Astro renames files from there to the output.
  const folder = await mkdtemp(join(directory, 'node_modules', '.media-asset-'));
  const dist = join(folder, 'dist');
  const rules = join(directory, '.media-asset/build.json');
  const kept = await readFile(rules, 'utf8').catch(ignoreMissing);
  try {
    const astro = resolveAstro(directory, 'astro/package.json', 'build the site');
    const { bin } = JSON.parse(await readFile(astro, 'utf8'));
    const entry = join(dirname(astro), typeof bin === 'string' ? bin : bin.astro);
    const env = { ...environment, MEDIA_ASSET_REPORT: 'never', GITHUB_STEP_SUMMARY: '' };
    const options = { cwd: directory, env, signal, maxBuffer: 64 * 1024 * 1024 };
    await run(process.execPath, [entry, 'build', '--outDir', dist], options).catch((cause) => {
      if (signal.aborted) throw cause;
      const output = stripVTControlCharacters(`${cause.stdout ?? ''}${cause.stderr ?? ''}`);
      const reason = output.trim().slice(-longest) || String(cause.message);
      throw mediaAssetError('import-build-failed', { when, reason });
    });
    const files = await fastGlob('**/*.{html,xml,json}', { cwd: dist, ignore: [sitemapFile] });
    const facts = new Map<string, ReturnType<typeof readFacts>>();
    for (const file of files) facts.set(file, readFacts(file, await readFile(join(dist, file))));
    return facts;
  } finally {
    if (kept === undefined) await removeFile(rules);
    else await replaceFile(rules, kept);
    await removeFolder(folder);
  }
}

/** @throws `import-unclean` if files to change aren't in Git as they are */
export async function assertInGit(
  { directory }: Pick<Terminal, 'directory'>,
  files: readonly string[],
): Promise<void> {
  if (files.length === 0) return;
  const words = ['status', '--porcelain', '--ignored', '-z', '--', ...files];
  const found = await run('git', words, { cwd: directory }).catch(() => undefined);
  const names = found?.stdout.split('\0').flatMap((line) => line.slice(3) || []) ?? [];
  if (found && names.length === 0) return;
  throw mediaAssetError('import-unclean', { files: found ? names : ['.git'] });
}
