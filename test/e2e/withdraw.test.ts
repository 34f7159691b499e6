import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emulatorClient } from '../assets/open-images.ts';
import type { LocalServer } from '../support/service/local-server.ts';
import { serveFolder } from '../support/site/serve-folder.ts';
import { openSiteWithService, type SiteWithService } from '../support/site/site-with-service.ts';

const config = (site: string) => `
import { defineConfig } from 'astro/config';
import mediaAssets from 'astro-media-asset';

export default defineConfig({
  site: '${site}',
  build: { assetsPrefix: { webp: '${site}', fallback: '${site}' } },
  integrations: [
    mediaAssets({
      record: {
        fields: ['consent'],
        read: ({ consent }) => ({ rights: consent === 'no' ? 'forbidden' : 'allowed' }),
      },
      rights: { forbidden: 'hide' },
    }),
  ],
});
`;

const page = `---
import { MediaAsset } from 'astro-media-asset/components';
---
<html lang="en"><head><title>Harbour</title></head><body>
  <MediaAsset id={4711} alt="" widths={[100, 200]} sizes="100px" />
  <MediaAsset id={4712} alt="" />
</body></html>
`;

let setup: SiteWithService;
let live: LocalServer;

beforeAll(async () => {
  setup = await openSiteWithService('bare', { sharedAstro: true });
  live = await serveFolder(setup.site.dist);
  await setup.site.write('astro.config.mjs', config(live.url));
  await setup.site.write('src/pages/index.astro', page);
  const { exitCode, output } = await setup.build();
  expect(exitCode, output).toBe(0);
}, 120_000);

afterAll(async () => {
  await setup.close();
  await live.close();
});

async function withdraw(id = '4711') {
  const { exitCode, stdout } = await setup.command('withdraw', id, '--json');
  return { exitCode, ...JSON.parse(stdout) };
}

describe('`media-asset withdraw`', () => {
  let file: string;

  test('lists the pages and URLs before the deploy, and says what to do', async () => {
    const { exitCode, stdout } = await setup.command('withdraw', '4711');
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(
      /^Asset 4711 harbour\n\nShown on 1 page:\n {2}\S+\/ {2}\(last build, reported\)\n/,
    );
    expect(stdout).toMatch(
      /\n2 of 2 URLs still online:\n {2}200 {2}http\S+\/4711-\S+\.webp\n {2}200 {2}http/,
    );
    expect(stdout).toMatch(
      /What to do:\n {2}1\. Remove .*\n {2}2\. Build .*\n {2}3\. Purge .*\n {2}4\. Run `media-asset withdraw 4711` again\.\n/,
    );
    const [written] = await setup.site.files('.media-asset/withdrawals/4711-*.md');
    expect(stdout).toContain(`Record: ${written}`);
    expect(await setup.site.read(written ?? '')).toContain('| Result | 2 of 2 URLs didn');
  });

  test('proves that the asset is gone once a build without it is online', async () => {
    [file = ''] = await setup.site.files('dist/**/4711-*/*');
    await emulatorClient(setup.emulator).files.update(4711, { consent: 'no' });
    expect((await setup.build()).exitCode).toBe(0);
    const found = await withdraw();
    expect(found).toMatchObject({ exitCode: 0, gone: true, pages: [] });
    expect(found.urls).toHaveLength(2);
    expect(found.urls).toMatchObject([{ status: 404 }, { status: 404 }]);
    // A host that keeps files of earlier deploys, or a CDN.
    await setup.site.write(file, '');
    const { exitCode, urls } = await withdraw();
    expect(exitCode).toBe(3);
    expect(urls.filter(({ gone }: { gone: boolean }) => !gone)).toEqual([
      { url: `${live.url}/${file.replace('dist/', '')}`, status: 200, gone: false },
    ]);
  });

  test('asks for the URLs of its earlier records, even without the cache', async () => {
    await setup.site.remove(file);
    await setup.site.remove('node_modules/.astro');
    const { exitCode, urls } = await withdraw();
    expect({ exitCode, urls: urls.length }).toEqual({ exitCode: 0, urls: 2 });
  });

  test('proves nothing if the site cannot be reached', async () => {
    await live.close();
    const { exitCode, urls } = await withdraw();
    expect(exitCode).toBe(3);
    expect(urls[0]).toMatchObject({
      status: null,
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('is an error for an asset that is known nowhere, and for a broken record', async () => {
    expect(await withdraw('999')).toMatchObject({
      exitCode: 1,
      error: { code: 'asset-unpublished' },
    });
    await setup.site.write('.media-asset/withdrawals/4711-x.json', '{');
    expect(await withdraw()).toMatchObject({ exitCode: 1, error: { code: 'withdrawal-broken' } });
  });
});
