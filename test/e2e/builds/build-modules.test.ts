/**
 * @module-tag any-astro
 * @module-tag slow
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useSite } from '../../support/site/site-with-service.ts';

const noteModules = fileURLToPath(new URL('../../support/process/log-modules.ts', import.meta.url));
const ours = new URL('../../../dist', import.meta.url).href;

const setup = useSite('main-job');

test("a build that reports doesn't load the emulator, the command line, Redis or what authors use", async () => {
  const file = join(setup.emulator.dataDir, 'modules.txt');
  const options = `--import=${noteModules}`;
  const run = await setup.buildAlone({ NODE_OPTIONS: options, MODULES_FILE: file });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(setup.pairs()).not.toEqual([]);
  const urls = (await readFile(file, 'utf8')).split('\n');
  const loaded = (part: string) => urls.filter((url) => url.includes(part));
  for (const part of [`${ours}/usage/`, '/node_modules/sharp/'])
    expect(loaded(part)).not.toEqual([]);
  for (const room of ['emulator', 'cli', 'authoring'])
    expect(loaded(`${ours}/${room}/`)).toEqual([]);
  for (const name of ['hono', '@hono', 'commander', 'redis', '@redis'])
    expect(loaded(`/node_modules/${name}/`)).toEqual([]);
});
