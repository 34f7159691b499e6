/**
 * Runs the end-to-end tests with the tag `every-astro` on the newest of each older major of Astro:
 * `npm run test:astro-versions`. Words after `--` name test files, of which all tests run.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';
import manifest from '../test/astro-versions/package.json' with { type: 'json' };

const folder = fileURLToPath(new URL('../test/astro-versions', import.meta.url));
const files = process.argv.slice(2);

const npm = process.env.npm_execpath;
if (!npm) throw new Error('Run this by `npm run test:astro-versions`: it needs npm.');
const words = ['install', '--prefix', folder, '--prefer-online', '--no-audit', '--no-fund'];
const installed = spawnSync(process.execPath, [npm, ...words], { stdio: 'inherit' });
if (installed.status !== 0) throw new Error('The older majors of Astro could not be installed.');

for (const astro of Object.keys(manifest.dependencies)) {
  console.log(`\n== ${astro}`);
  process.env.TEST_ASTRO = astro;
  const vitest = await startVitest('test', files, {
    run: true,
    project: ['e2e'],
    ...(files.length === 0 && { tagsFilter: ['every-astro'] }),
  });
  await vitest.close();
}
