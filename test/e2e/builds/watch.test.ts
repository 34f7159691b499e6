/**
 * @module-tag any-astro
 * @module-tag slow
 */
import { cp } from 'node:fs/promises';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { serveFolder } from '../../support/site/serve-folder.ts';
import { astroConfig, astroPage } from '../../support/site/site-files.ts';
import {
  downloads,
  outputOf,
  type Snapshot,
  useSite,
} from '../../support/site/site-with-service.ts';

const options = `{
  record: { fields: ['text'], read: ({ text }) => ({ alt: text }) },
  rights: { fields: ['name'], read: ({ name }) => ({ until: name === 'ship' ? '2999-01-31' : undefined }), forbidden: 'hide' },
}`;
const config = astroConfig(options);

const setup = useSite('bare');
let built: Snapshot;
let summary: string;
const immutable = '/_astro/*\n  Cache-Control: max-age=31536000, immutable\n';
const service = () => emulatorClient(setup.emulator);

beforeAll(async () => {
  await setup.site.write('astro.config.mjs', config);
  await setup.site.write('public/_headers', immutable);
  const images = [4711, 4712, 4713].map((id) => `<MediaAsset id={${id}} />`);
  await setup.site.write('src/pages/index.astro', astroPage(images.join('')));
  // Only Markdown shows this asset.
  await setup.site.write('src/pages/tower.md', '![](media:4714)\n');
  for (const id of [4711, 4712, 4713, 4714])
    await service().files.update(id, { text: `Image ${id}` });
  summary = await outputOf(setup.build());
  built = await setup.snapshot();
}, 120_000);

beforeEach(async () => {
  await setup.restore(built);
  await service().files.update(4712, { text: 'Image 4712' });
  setup.requests();
});

const watch = () => setup.data('watch');

test('a build shortens the cache life of the asset whose rights end, and of no other', async () => {
  const headers = await setup.site.read('dist/_headers');
  expect(headers.startsWith(immutable)).toBe(true);
  expect(headers.match(/^\/.*$/gm)).toEqual(['/_astro/*', '/_astro/media-asset/4713-*']);
});

describe('`media-asset watch --next`', () => {
  test('prints the last day of the next asset, and asks no service', async () => {
    const { exitCode, stdout, stderr } = await setup.command('watch', '--next');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '2999-01-31\n' });
    expect(stderr).toContain('2999-01-31: asset 4713 on 1 page.');
    expect(setup.requests()).toEqual([]);
    expect(await setup.data('watch', '--next')).toMatchObject({
      next: { until: '2999-01-31', ids: [4713], pages: 1, unknown: [] },
    });
    expect(summary).toMatch(/next end +2999-01-31: asset 4713 on 1 page$/m);
  });

  test('is an error if the build knows no dates', async () => {
    const { next, ...others } = JSON.parse(await setup.site.read('.media-asset/build.json'));
    expect(next).toMatchObject({ ids: [4713] });
    await setup.site.write('.media-asset/build.json', JSON.stringify(others));
    expect(await setup.data('watch', '--next')).toMatchObject({
      ...{ exitCode: 1, error: { code: 'build-unknown' } },
    });
  });
});

describe('`media-asset watch`', () => {
  test.each(['its cache', '`.media-asset` only'])(
    'ends with 0 if nothing has changed, after one conditional request for each asset, with %s',
    async (kept) => {
      if (kept !== 'its cache') await setup.site.remove('node_modules/.astro');
      const { exitCode, stdout } = await setup.command('watch');
      expect({ exitCode, stdout }).toEqual({
        exitCode: 0,
        stdout: expect.stringMatching(
          /^Nothing has changed since the build of [\d-]{10} [\d:]{5} UTC: 4 assets compared\.\n$/,
        ),
      });
      expect(downloads(setup.requests()).sort()).toEqual([
        '304 /1/file/4711/download/0',
        '304 /1/file/4712/download/0',
        '304 /1/file/4713/download/0',
        '304 /1/file/4714/download/0',
      ]);
    },
  );

  test('ends with 5 until the site was built, and names what was replaced, reworded or withdrawn', async () => {
    await setup.replaceAsset('harbour.jpg', await setup.assetBytes('tower.jpg'));
    // Only Markdown shows this one.
    await setup.replaceAsset('tower.jpg', await setup.assetBytes('ship.jpg'));
    await service().files.update(4712, { text: 'Another text' });
    const { exitCode, stdout } = await setup.command('watch');
    expect(exitCode).toBe(5);
    expect(stdout).toMatch(
      /^change +id +name\nreplaced {2}4711 {2}harbour\nreworded {2}4712 {2}quay\S*\nreplaced {2}4714 {2}tower\n3 assets of 4 changed since .*\. Build the site again\.\n$/,
    );
    const quay = await setup.assetBytes('quay.png');
    await setup.deleteAsset('quay.png');
    expect(await watch()).toMatchObject({
      exitCode: 5,
      changes: [
        { id: 4711, reason: 'replaced' },
        { id: 4712, reason: 'withdrawn', detail: null },
        { id: 4714, reason: 'replaced' },
      ],
    });
    await setup.replaceAsset('quay.png', quay);
    await outputOf(setup.build());
    expect((await watch()).exitCode).toBe(0);
  });

  test('asks for a build if options have changed that affect pages, and for no other option', async () => {
    await setup.site.edit('astro.config.mjs', 'rights: {', "report: { contact: 'A' }, rights: {");
    expect(await watch()).toMatchObject({ exitCode: 0, options: false, changes: [] });
    await setup.site.edit(
      'astro.config.mjs',
      "report: { contact: 'A' }",
      'images: { quality: 40 }',
    );
    const { exitCode, stdout } = await setup.command('watch');
    expect(exitCode).toBe(5);
    expect(stdout).toMatch(
      /^Options that affect pages have changed since .*Build the site again\.\n$/,
    );
  });

  test('asks the service of the build, whatever the environment names, with `.media-asset` only', async () => {
    await setup.site.remove('node_modules/.astro');
    await setup.replaceAsset('harbour.jpg', await setup.assetBytes('tower.jpg'));
    const elsewhere = { ...setup.emulator.env, MEDIA_ASSET_BASE_URL: 'http://127.0.0.1:9/api' };
    const { exitCode, stdout } = await setup.site.command(elsewhere, 'watch', '--json');
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 5,
      options: false,
      changes: [{ id: 4711, reason: 'replaced' }],
    });
    const other = { ...elsewhere, MEDIA_ASSET_CLIENT_SECRET: 'another' };
    const refused = await setup.site.command(other, 'watch', '--json');
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'service-untrusted' } });
  });

  test('evaluates the config file that the build was started with', async () => {
    const hidden = config.replace("forbidden: 'hide' }", "forbidden: 'hide', unknown: 'allow' }");
    await setup.site.write('other.config.mjs', hidden);
    expect((await setup.build({}, '--config', 'other.config.mjs')).exitCode).toBe(0);
    expect(await watch()).toMatchObject({ exitCode: 0, options: false, changes: [] });
    // Who can write to a cache must not choose what runs.
    await setup.site.write('.media-asset/evil.mjs', hidden);
    await setup.site.edit('.media-asset/build.json', 'other.config.mjs', '.media-asset/evil.mjs');
    expect(await watch()).toMatchObject({ exitCode: 1, error: { code: 'config-unloadable' } });
  });

  test('ends with 5 until the build is online, if the live site says which one is', async () => {
    const live = await serveFolder(setup.site.path('live'));
    onTestFinished(() => live.close());
    const deploy = () => cp(setup.site.dist, setup.site.path('live'), { recursive: true });
    await setup.site.write('astro.config.mjs', astroConfig(options, `site: '${live.url}',`));
    await outputOf(setup.build());
    expect(await watch()).toMatchObject({ exitCode: 0, online: null });
    const { stderr } = await setup.command('watch');
    expect(stderr).toContain("Which build is online isn't known: status 404.");
    await deploy();
    expect(await watch()).toMatchObject({ exitCode: 0, online: true });
    // The deploy of this build fails.
    await outputOf(setup.build());
    expect(await watch()).toMatchObject({ exitCode: 5, online: false, changes: [] });
    const { stdout } = await setup.command('watch');
    expect(stdout).toMatch(
      /^The live site has another build than the build of .*\. Build the site again\.\n$/,
    );
    await deploy();
    expect((await watch()).exitCode).toBe(0);
  });

  test('is an error after a build that failed, so that it is not repeated for ever', async () => {
    await setup.site.write('src/pages/broken.astro', '---\nthrow new Error();\n---\n');
    expect((await setup.build()).exitCode).toBe(1);
    expect(await watch()).toMatchObject({ exitCode: 1, error: { code: 'build-unfinished' } });
  });

  test('is an error without a build, its digests, or assets', async () => {
    const rules = JSON.parse(await setup.site.read('.media-asset/build.json'));
    const { digests, ...without } = rules;
    const errors: unknown[] = [];
    for (const found of [without, { ...rules, digests: { ...digests, assets: {} } }, undefined]) {
      if (found) await setup.site.write('.media-asset/build.json', JSON.stringify(found));
      else await setup.site.remove('.media-asset/build.json');
      errors.push(await watch());
    }
    const error = (message: string) => ({
      exitCode: 1,
      error: { code: 'build-unknown', message: expect.stringContaining(message) },
    });
    expect(errors).toMatchObject([
      error('no digests of assets'),
      error('show no assets'),
      error("build.json doesn't exist"),
    ]);
  });
});
