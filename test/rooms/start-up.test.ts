import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const noteModules = pathToFileURL(path('test/support/process/log-modules.ts')).href;

/** Runs a program. Returns the packages that it has loaded, and the number of our files. */
async function loaded(program: string, ...words: string[]) {
  const file = join(await temporaryFolder('start-up'), 'modules.txt');
  await promisify(execFile)(process.execPath, ['--import', noteModules, program, ...words], {
    env: { ...process.env, MODULES_FILE: file },
  });
  const urls = (await readFile(file, 'utf8')).split('\n');
  const names = urls.flatMap(
    (url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [],
  );
  return {
    packages: [...new Set(names)].sort(),
    ours: urls.filter((url) => url.startsWith(pathToFileURL(path('src')).href)),
  };
}

test.each(['--help', 'help report', 'upload --help'])(
  'media-asset %s loads the argument parser, but no command',
  async (words) => {
    const { packages, ours } = await loaded(path('src/cli/main.ts'), ...words.split(' '));
    expect(packages).toEqual(['commander', 'picocolors']);
    expect(ours.length).toBeLessThan(50);
  },
);

test("the integration's first hook only loads option checks, and no code for images, pages or the service", async () => {
  const { packages, ours } = await loaded(
    path('test/support/site/run-config-hook.ts'),
    path('src/index.ts'),
  );
  expect(packages).toEqual(['zod']);
  expect(ours.length).toBeLessThan(75);
});
