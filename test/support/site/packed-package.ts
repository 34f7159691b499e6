import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { type Run, run } from './site.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Packs the built package into a folder, and returns the path of the tarball. */
export async function packPackage(folder: string): Promise<string> {
  const packed = await npm(root, 'pack', '--ignore-scripts', '--pack-destination', folder);
  return join(folder, packed.stdout.trim().split('\n').at(-1) ?? '');
}

/** Makes a folder a project with these packages of the registry, and installs them. */
export async function installPackages(
  dir: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<void> {
  const manifest = { private: true, type: 'module', dependencies };
  await writeFile(join(dir, 'package.json'), JSON.stringify(manifest));
  await npm(dir, 'install', '--prefer-offline', '--no-audit', '--no-fund');
}

/** The most that an install without Astro may weigh. */
export const ceilingWithoutAstro = { packages: 95, MB: 57 };

/** What an install weighs: its packages, and the MB (of 1,000,000 bytes) of their files. */
export async function weighInstall(dir: string): Promise<{ packages: number; MB: number }> {
  const cwd = join(dir, 'node_modules');
  const lock = JSON.parse(await readFile(join(cwd, '.package-lock.json'), 'utf8'));
  const files = await fastGlob('**', { cwd, dot: true, followSymbolicLinks: false });
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(cwd, file))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { packages: Object.keys(lock.packages).length, MB: bytes / 1e6 };
}

async function npm(directory: string, ...words: string[]): Promise<Run> {
  const program = process.env.npm_execpath;
  if (!program) throw new Error('Run this by `npm test` or `npm run`: it needs npm.');
  const done = await run(directory, program, words, { ...process.env, VITEST: undefined });
  if (done.exitCode !== 0) throw new Error(`npm ${words.join(' ')}: ${done.output}`);
  return done;
}
