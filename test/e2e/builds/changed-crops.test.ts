/** @module-tag slow */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { outputOf, type Snapshot, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('main-job');
let built: Snapshot;

/** In a job of GitHub Actions. */
const listCrops = () =>
  setup.site.command({ GITHUB_STEP_SUMMARY: setup.site.path('summary.md') }, 'crops');

/** A photograph in the size of asset 4712. */
async function photograph(name: string, quality = 80): Promise<Buffer> {
  const path = fileURLToPath(new URL(`../../../playground/media/${name}.jpg`, import.meta.url));
  return sharp(await readFile(path))
    .resize(640, 480)
    .jpeg({ quality })
    .toBuffer();
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
