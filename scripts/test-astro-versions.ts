/**
 * Runs the end-to-end tests with the newest version of each older major of Astro, and the tests with
 * Cloudflare's adapter: `npm run test:astro-versions`. The majors leave out those with `@module-tag
 * any-astro`.
 * Arguments after `--` name test files. `--only-install` and `--no-install` do one half each. It also
 * installs the CMSs and frameworks that `test/browser/cms.test.ts` and
 * `test/e2e/newcomers/import-sites.test.ts` need, which run with all other tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import manifest from '../test/astro-versions/package.json' with { type: 'json' };
import { runTests } from './run-tests.ts';

const { values: flags, positionals: files } = parseArgs({
  options: { 'only-install': { type: 'boolean' }, 'no-install': { type: 'boolean' } },
  allowPositionals: true,
});

const npm = process.env.npm_execpath;
if (!npm) throw new Error('Run this by `npm run test:astro-versions`: it needs npm.');
const install = async (name: string, program: string) => {
  const folder = fileURLToPath(new URL(`../test/${name}`, import.meta.url));
  const words = ['install', '--prefix', folder, '--prefer-online', '--no-audit', '--no-fund'];
  const child = spawn(process.execPath, [program, ...words], { stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`The packages of test/${name} could not be installed.`);
};
if (!flags['no-install']) {
  const all = ['astro-versions', 'cloudflare', 'cms'];
  await Promise.all(all.map((name) => install(name, npm)));
}

if (!flags['only-install']) {
  for (const [versions, tagsFilter] of [
    [manifest.workspaces.join(), ['!any-astro']],
    ['cloudflare', []],
  ] as const) {
    process.env.TEST_ASTRO = versions;
    await runTests(files, { tagsFilter: [...tagsFilter] });
  }
}
