/**
 * Depends on tokens and their store, not on Astro:
 * @module-tag any-astro
 * @module-tag slow
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findInFiles } from '../../support/process/find-in-files.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { startLogin, submitAuthorization } from '../../support/service/login.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('main-job', { refreshTokens: 'rotated', tokenLifetime: 1 });

test("a build uses its user's sign-in, and stores each renewed token", async () => {
  const { site, emulator } = setup;
  const home = await temporaryFolder('home');
  const environment = {
    HOME: home,
    MEDIA_ASSET_BASE_URL: emulator.url,
    MEDIA_ASSET_CLIENT_ID: 'emulator',
    MEDIA_ASSET_CLIENT_SECRET: 'emulator-secret',
    MEDIA_ASSET_REPORT: 'always',
  };
  // A process looks up its user's home once.
  const missing = await site.buildAlone(environment);
  expect(missing.exitCode).toBe(1);
  expect(missing.output).toContain('media-asset login');

  const entry = join(site.dir, 'node_modules/astro-media-asset/dist/cli/main.js');
  const login = await startLogin({ directory: site.dir, environment, words: [], entry });
  await fetch(await submitAuthorization(login.address));
  expect((await login.ended).exitCode).toBe(0);
  const store = join(home, '.config/astro-media-asset/tokens.json');
  const first = refreshTokenIn(await readFile(store, 'utf8'));

  // The sign-in's token expires before the second build. Later tokens are valid for long.
  await emulator.setSettings({ tokenLifetime: 3600 });
  for (const build of ['first', 'second']) {
    const output = await outputOf(site.buildAlone(environment));
    expect(output, build).not.toContain('refresh-token-rotated');
  }
  expect(setup.pairs().length).toBeGreaterThan(0);
  const last = refreshTokenIn(await readFile(store, 'utf8'));
  expect(last).not.toBe(first);
  for (const secret of [first, last]) expect(await findInFiles(site.dir, secret)).toEqual([]);
});

function refreshTokenIn(store: string): string {
  const [, token = ''] = /"refreshToken": "([^"]+)"/.exec(store) ?? [];
  expect(token).not.toBe('');
  return token;
}
