/** @module-tag slow */
/** @module-tag any-astro */
import { expect, test } from 'vitest';
import { findInFiles } from '../../support/process/find-in-files.ts';
import { useSite } from '../../support/site/site-with-service.ts';

/** Values that a build wouldn't write by itself. */
const secrets = {
  clientSecret: 'client-secret-7f3a',
  password: 'password-91bc',
  refreshToken: 'refresh-token-55de',
};

const setup = useSite('main-job', secrets);

test('no secret is left in any file or log line of a build', async () => {
  const token = await setup.emulator.signIn();
  const refresh = { MEDIA_ASSET_REFRESH_TOKEN: secrets.refreshToken };
  const runs = [
    await setup.build(),
    await setup.build(refresh),
    await setup.build({ MEDIA_ASSET_ACCESS_TOKEN: token }),
    await setup.build({ ...refresh, MEDIA_ASSET_CLIENT_SECRET: 'wrong-secret-33ab' }),
  ];
  await setup.deleteAsset('ship.jpg');
  runs.push(await setup.build());

  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 1, 1]);
  // The search does find values that aren't secret: in pages, ledger, build rules and cache.
  const found = await findInFiles(setup.site.dir, setup.emulator.url);
  for (const place of ['.media-asset/ledger-', '.media-asset/build.json', 'node_modules/.astro/']) {
    expect(found.some((file) => file.startsWith(place))).toBe(true);
  }
  for (const secret of [...Object.values(secrets), 'wrong-secret-33ab', token, 'Bearer ']) {
    for (const { output } of runs) expect(output).not.toContain(secret);
    expect(await findInFiles(setup.site.dir, secret)).toEqual([]);
  }
});
