/**
 * Runs the end-to-end tests with the newest version of each older major of Astro:
 * `npm run test:astro-versions`. Leaves out those with `@module-tag any-astro`. Arguments after
 * `--` name test files.
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

process.env.TEST_ASTRO = manifest.workspaces.join();
const vitest = await startVitest('test', files, { run: true, tagsFilter: ['!any-astro'] });
await vitest.close();
