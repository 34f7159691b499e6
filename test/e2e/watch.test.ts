/**
 * @module-tag any-astro
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emulatorClient } from '../assets/open-images.ts';
import {
  downloads,
  openSiteWithService,
  type SiteWithService,
  type Snapshot,
} from '../support/site/site-with-service.ts';

const config = `
import { defineConfig } from 'astro/config';
import mediaAssets from 'astro-media-asset';

export default defineConfig({
  site: 'https://harbour.example',
  integrations: [
    mediaAssets({
      record: {
        fields: ['text', 'consent', 'licenceTo'],
        read: ({ text, consent, licenceTo }) => ({
          alt: text,
          rights: consent === 'no' ? 'forbidden' : 'allowed',
          until: licenceTo,
        }),
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
  <MediaAsset id={4711} /><MediaAsset id={4712} /><MediaAsset id={4713} />
</body></html>
`;

const day = (offset: number) =>
  new Date(Date.now() + offset * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

let setup: SiteWithService;
let built: Snapshot;
const service = () => emulatorClient(setup.emulator);

beforeAll(async () => {
  setup = await openSiteWithService('bare', { sharedAstro: true });
  await setup.site.write('astro.config.mjs', config);
  await setup.site.write('src/pages/index.astro', page);
  for (const id of [4711, 4712, 4713])
    await service().files.update(id, { text: `Image ${id}`, consent: 'yes', licenceTo: '' });
  await service().files.update(4713, { consent: 'no' });
  const { exitCode, output } = await setup.build();
  expect(exitCode, output).toBe(0);
  built = await setup.snapshot();
}, 120_000);

beforeEach(async () => {
  await setup.restore(built);
  for (const id of [4711, 4712, 4713])
    await service().files.update(id, { text: `Image ${id}`, consent: 'yes', licenceTo: '' });
  await service().files.update(4713, { consent: 'no' });
  setup.requests();
});

afterAll(() => setup.close());

async function watch() {
  const { exitCode, stdout } = await setup.command('watch', '--json');
  return { exitCode, ...JSON.parse(stdout) };
}

describe('`media-asset watch`', () => {
  test('ends with 0 if nothing has changed, after one conditional request for each asset', async () => {
    const { exitCode, stdout } = await setup.command('watch');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^Nothing has changed since the build of [\d-]{10} [\d:]{5} UTC: 2 assets compared\.\n$/,
      ),
    });
    expect(downloads(setup.requests()).sort()).toEqual([
      '304 /1/file/4711/download/0',
      '304 /1/file/4712/download/0',
    ]);
  });

  test('ends with 5 and names what was replaced, reworded or withdrawn', async () => {
    await setup.replaceAsset('harbour.jpg', await setup.assetBytes('tower.jpg'));
    await service().files.update(4712, { text: 'Another text' });
    const { exitCode, stdout } = await setup.command('watch');
    expect(exitCode).toBe(5);
    expect(stdout).toMatch(
      /^change +id +name +detail\nreplaced {2}4711 {2}harbour\S*\nreworded {2}4712 {2}quay\S* +text\n2 assets of 2 changed since .*\. Build the site again\.\n$/,
    );
    await setup.deleteAsset('quay.png');
    expect(await watch()).toMatchObject({
      changes: [
        { id: 4711, reason: 'replaced' },
        { id: 4712, reason: 'withdrawn', detail: null },
      ],
    });
  });

  test('names a new version that is no image, and what is wrong with it', async () => {
    await setup.replaceAsset('harbour.jpg', Buffer.from('a text'));
    const { exitCode, changes } = await watch();
    expect(exitCode).toBe(5);
    expect(changes).toMatchObject([
      { id: 4711, reason: 'replaced', detail: expect.stringContaining('4711') },
    ]);
  });

  test('says it again until the site was built', async () => {
    await setup.replaceAsset('harbour.jpg', await setup.assetBytes('tower.jpg'));
    expect([(await watch()).exitCode, (await watch()).exitCode]).toEqual([5, 5]);
    expect((await setup.build()).exitCode).toBe(0);
    expect((await watch()).exitCode).toBe(0);
  });

  test('names rights that have ended, end soon, or are back', async () => {
    await service().files.update(4711, { licenceTo: day(-1) });
    await service().files.update(4712, { licenceTo: day(20) });
    await service().files.update(4713, { consent: 'yes' });
    expect(await watch()).toMatchObject({
      exitCode: 5,
      assets: 2,
      changes: [
        { id: 4711, reason: 'forbidden', detail: `rights ended on ${day(-1)}` },
        { id: 4712, reason: 'ending', detail: day(20) },
        { id: 4713, reason: 'allowed', detail: null },
      ],
    });
  });

  test('asks for a build if the last one did not finish', async () => {
    await setup.site.edit('.media-asset/build.json', '"finished": true', '"finished": false');
    expect(await watch()).toMatchObject({ exitCode: 5, finished: false, changes: [] });
  });

  test('is an error in an outage, and without a build', async () => {
    await setup.stopService();
    expect(await watch()).toMatchObject({ exitCode: 1, error: { code: 'service-unreachable' } });
    await setup.startService();
    await setup.site.remove('node_modules/.astro');
    expect(await watch()).toMatchObject({ exitCode: 1, error: { code: 'build-unknown' } });
  });
});
