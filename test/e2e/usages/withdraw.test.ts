/**
 * @module-tag any-astro
 * @module-tag slow
 */
import { cp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import type { LocalServer } from '../../support/service/local-server.ts';
import { blockOf } from '../../support/site/doc-blocks.ts';
import { serveFolder } from '../../support/site/serve-folder.ts';
import { astroConfig, astroPage } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const options = `{
  rights: {
    fields: ['consent'],
    optional: ['consent'],
    read: ({ consent }) => ({ state: consent === 'no' ? 'forbidden' : 'allowed' }),
    forbidden: 'hide',
  },
}`;
const images = `<MediaAsset id={4711} alt="" widths={[100, 200]} sizes="100px" />
<MediaAsset id={4712} alt="" />`;

const setup = useSite('bare');
let live: LocalServer;

beforeAll(async () => {
  live = await serveFolder(setup.site.path('live'));
  const { url } = live;
  const settings = `site: '${url}', build: { assetsPrefix: { webp: '${url}', fallback: '${url}' } },`;
  await setup.site.write('astro.config.mjs', astroConfig(options, settings));
  await setup.site.write('src/pages/index.astro', astroPage(images));
  await outputOf(setup.build());
  await outputOf(setup.command('report', 'dist', '--yes', '--first'));
  await deploy();
}, 120_000);

afterAll(() => live.close());

/** An output without what differs from run to run. */
const shapeOf = (text: string) =>
  text
    .replaceAll(/http\S+/g, 'URL')
    .replace(/build of \S+/, 'build of TIME')
    .replace(/withdrawals\/\S+/, 'FILE')
    .trim();

/** Replaces the live site by the last build. */
async function deploy(): Promise<void> {
  await rm(setup.site.path('live'), { recursive: true, force: true });
  await cp(setup.site.dist, setup.site.path('live'), { recursive: true });
}

const withdraw = () => setup.data('withdraw', '4711');

describe('`media-asset withdraw`', () => {
  test('lists the pages and URLs before the deploy, and says what to do', async () => {
    const { exitCode, stdout } = await setup.command('withdraw', '4711');
    expect(exitCode).toBe(3);
    expect(shapeOf(stdout)).toBe(shapeOf(blockOf('guides/takedown', 'withdraw')));
    const [written] = await setup.site.files('.media-asset/withdrawals/4711-*.json');
    expect(stdout).toContain(`Record: ${written}`);
    expect(stdout).toContain(`${live.url}/`);
    const record = JSON.parse(await setup.site.read(written ?? ''));
    const from = ['build', 'history', 'ledger', 'service'];
    const page = { page: `${live.url}/`, status: 200, reason: 'it still names the asset', from };
    expect(record).toMatchObject({ gone: false, pages: [page] });
    expect(record.urls).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  test('proves that the asset is gone once a build without it is online, even without the cache', async () => {
    await emulatorClient(setup.emulator).files.update(4711, { consent: 'no' });
    await outputOf(setup.build());
    await deploy();
    await setup.site.remove('node_modules/.astro');
    const { exitCode, gone, pages, urls } = await withdraw();
    expect({ exitCode, gone }).toEqual({ exitCode: 0, gone: true });
    expect(urls).toMatchObject([{ status: 404 }, { status: 404 }]);
    expect(pages).toMatchObject([{ page: `${live.url}/`, status: 200 }]);
    expect(await withdraw()).toMatchObject({ exitCode: 1, error: { code: 'asset-unpublished' } });
  });
});
