/** @module-tag slow */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { outputOf, type Snapshot, useSite } from '../../support/site/site-with-service.ts';

/** Of what our code alone does, or, like incremental builds, only Astro 7 has. */
const onAnyAstro = { tags: ['any-astro'] };

const setup = useSite('main-job');
let built: Snapshot;

/** In a job of GitHub Actions. */
const listCrops = () =>
  setup.site.command({ GITHUB_STEP_SUMMARY: setup.site.path('summary.md') }, 'crops');

/** A photograph in the size of asset 4712, in shades of a color if one is given. */
async function photograph(name: string, quality = 80, tint?: string): Promise<Buffer> {
  const path = fileURLToPath(new URL(`../../../playground/media/${name}.jpg`, import.meta.url));
  const image = sharp(await readFile(path)).resize(640, 480);
  if (tint) image.tint(tint);
  return image.jpeg({ quality }).toBuffer();
}

const message =
  '/ (src/pages/index.astro:10:5): asset 4712 has another image now, so its crop { x: 40, y: 20, width: 240, height: 160 } may show the wrong part.';

beforeAll(async () => {
  await setup.replaceAsset('quay.png', await photograph('harbour/quay'));
  await outputOf(setup.build());
  built = await setup.snapshot();
});

describe('after an original was replaced', () => {
  test('by the same image, the build warns of nothing, and the sheet is empty', async () => {
    await setup.restore(built);
    await setup.replaceAsset('quay.png', await photograph('harbour/quay', 50));
    expect(await outputOf(setup.build())).not.toContain('crop-review');
    expect(await setup.data('crops')).toMatchObject({ exitCode: 0, crops: [] });
    await listCrops();
    expect(await setup.site.files('summary.md')).toEqual([]);
  });

  test('by another image, the build and a sheet name the crop until someone accepts it', async () => {
    await setup.restore(built);
    await setup.replaceAsset('quay.png', await photograph('museum/hall'));
    const output = await outputOf(setup.build());
    expect(output).toContain(message);
    expect(output).toContain('crop-review');

    await listCrops();
    expect(await setup.site.read('summary.md')).toContain(message);
    const shown = await setup.command('crops', '--markdown', 'crops.md');
    expect(shown.stdout).toContain(message);
    expect(await readFile(setup.site.path('crops.md'), 'utf8')).toContain(message);
    const sheet = await readFile(setup.site.path('.media-asset/crops.html'), 'utf8');
    const [, data = ''] = /id="crops">(.*?)<\/script>/s.exec(sheet) ?? [];
    const [crop, ...others] = JSON.parse(data);
    expect(others).toEqual([]);
    expect(crop).toMatchObject({ id: 4712, name: '4712 quay', message });
    const pixels = crop.images.map(({ url }: { url: string }) =>
      sharp(Buffer.from(url.split(',')[1] ?? '', 'base64')).metadata(),
    );
    expect(await Promise.all(pixels)).toMatchObject([{ width: 240 }, { width: 240 }]);
    expect(crop.images[0].url).not.toBe(crop.images[1].url);
    expect(sheet).not.toMatch(/(?:src|href)="|https?:/);

    const wrong = await setup.command('crops', '--accept', '4711');
    expect(wrong.exitCode).toBe(2);
    const accepted = await setup.command('crops', '--accept', '4712');
    expect(accepted.stdout).toContain('Asset 4712 is accepted in media-crops.json.');
    const file = JSON.parse(await readFile(setup.site.path('media-crops.json'), 'utf8'));
    expect(file).toEqual({ 4712: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(await outputOf(setup.build())).not.toContain('crop-review');
  });

  test("with `changed: 'fail'`, the build fails, and the sheet shows why", async () => {
    await setup.restore(built);
    await setup.site.edit('astro.config.mjs', '()', "({ changed: 'fail' })");
    await setup.replaceAsset('quay.png', await photograph('museum/hall'));
    expect(await outputOf(setup.build(), 1)).toContain(message);
    const { exitCode, crops } = await setup.data('crops');
    expect({ exitCode, crops }).toMatchObject({ exitCode: 0, crops: [{ id: 4712 }] });
    await setup.site.write('media-crops.json', '{ "4712": "yes" }');
    const broken = await outputOf(setup.build(), 1);
    expect(broken).toContain("media-crops.json can't be read: 4712: expected 16 to 64");
  });
});

describe("with `changed: 'keep'`", () => {
  const red = photograph('harbour/quay', 80, 'red');
  const blue = photograph('museum/hall', 80, 'blue');
  const both = message.replace(':5)', ':5), /sail/ (src/pages/sail.md:1)');
  const kept = `${both} The old image is still published.`;
  const lost = `${both} The old image can't be kept`;
  let keeping: Snapshot;

  /** The colors of the images of asset 4712 on a page that was built. */
  async function colorsOn(file: string): Promise<string[]> {
    const html = await setup.site.read(`dist/${file}`);
    const urls = html.match(/\/_astro\/media-asset\/4712-[\w.-]+/g) ?? [];
    const colors = urls.map(async (url) => {
      const { channels } = await sharp(await readFile(setup.site.path(`dist${url}`))).stats();
      return (channels[0]?.mean ?? 0) > (channels[2]?.mean ?? 0) ? 'red' : 'blue';
    });
    return [...new Set(await Promise.all(colors))];
  }

  const colors = async () => ({
    component: await colorsOn('index.html'),
    markdown: await colorsOn('sail/index.html'),
    whole: await colorsOn('quay/index.html'),
  });

  /** Deletes what the cache has of the old image, except facts. */
  async function loseBytes() {
    for (const file of await setup.site.files('node_modules/.astro/**/4712/*'))
      if (!file.endsWith('facts.json')) await setup.site.remove(file);
  }

  beforeAll(async () => {
    await setup.restore(built);
    await setup.site.edit('astro.config.mjs', '()', "({ changed: 'keep' })");
    const address = 'media:4712?crop=40,20,240,160';
    await setup.site.write('src/pages/sail.md', `![The quay](${address})\n`);
    await setup.replaceAsset('quay.png', await red);
    await outputOf(setup.build());
    expect(await colors()).toEqual({ component: ['red'], markdown: ['red'], whole: ['red'] });
    await setup.replaceAsset('quay.png', await blue);
    keeping = await setup.snapshot();
  });

  test('only crops show the old image, until someone accepts the new one', async () => {
    await setup.restore(keeping);
    for (const _ of [1, 2]) {
      expect(await outputOf(setup.build())).toContain(kept);
      expect(await colors()).toEqual({ component: ['red'], markdown: ['red'], whole: ['blue'] });
    }
    expect(await setup.data('crops', '--accept', '4712')).toMatchObject({ exitCode: 0 });
    expect(await outputOf(setup.build())).not.toContain('crop-review');
    expect(await colors()).toEqual({ component: ['blue'], markdown: ['blue'], whole: ['blue'] });
  });

  test('a lost old image fails the build, and the sheet lists it', onAnyAstro, async () => {
    await setup.restore(keeping);
    await outputOf(setup.build());
    await loseBytes();
    expect(await outputOf(setup.build(), 1)).toContain(lost);
    const { crops } = await setup.data('crops');
    expect(crops).toMatchObject([{ id: 4712, old: 'lost' }]);
    expect(await setup.data('crops', '--accept', '4712')).toMatchObject({ exitCode: 0 });
    await outputOf(setup.build());
    expect(await colors()).toEqual({ component: ['blue'], markdown: ['blue'], whole: ['blue'] });
  });

  test('a forbidden asset is not shown', onAnyAstro, async () => {
    await setup.restore(keeping);
    const rights = "{ forbidden: 'hide', fields: ['x'], read: () => ({ state: 'forbidden' }) }";
    await setup.site.edit('astro.config.mjs', "'keep'", `'keep', rights: ${rights}`);
    await outputOf(setup.build());
    expect(await setup.site.files('dist/_astro/media-asset/4712-*')).toEqual([]);
  });

  test('a withdrawn asset is not shown, and its cache is deleted', onAnyAstro, async () => {
    await setup.restore(keeping);
    await outputOf(setup.build());
    expect(await setup.site.files('node_modules/.astro/**/4712/*')).not.toEqual([]);
    await setup.deleteAsset('quay.png');
    await setup.site.edit('astro.config.mjs', "'keep'", "'keep', unavailable: 'warn'");
    await outputOf(setup.build());
    expect(await setup.site.files('dist/_astro/media-asset/4712-*')).toEqual([]);
    expect(await setup.site.files('node_modules/.astro/**/4712/*')).toEqual([]);
  });

  test('on pages that Astro keeps, it comes and goes too', onAnyAstro, async () => {
    await setup.restore(keeping);
    await setup.site.edit(
      'astro.config.mjs',
      "'keep' })],",
      "'keep' })],\n  experimental: { incrementalBuild: true },",
    );
    await outputOf(setup.build());
    await outputOf(setup.build());
    expect(await colors()).toEqual({ component: ['red'], markdown: ['red'], whole: ['blue'] });
    await setup.command('crops', '--accept', '4712');
    await outputOf(setup.build());
    expect(await colors()).toEqual({ component: ['blue'], markdown: ['blue'], whole: ['blue'] });
  });
});
