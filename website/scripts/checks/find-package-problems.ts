import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The website is no part of the package. */
export async function findPackageProblems(): Promise<string[]> {
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  const pack = 'npm pack --dry-run --json --ignore-scripts';
  const { stdout } = await promisify(execFile)('sh', ['-c', pack], { cwd, maxBuffer: 2 ** 26 });
  const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(stdout);
  return files
    .filter(({ path }) => path.startsWith('website/') || path.includes('starlight'))
    .map(({ path }) => `The package contains ${path}.`);
}
