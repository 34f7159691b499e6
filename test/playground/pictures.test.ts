import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { files } from '../../playground/scripts/draw-files.ts';
import { type Picture, pictures } from '../../playground/scripts/pictures/catalogue.ts';
import { drawPicture } from '../../playground/scripts/pictures/draw-picture.ts';
import { assets } from '../../playground/src/assets.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the pictures of the playground', () => {
  it('stand in the order in which the emulator numbers them', () => {
    const paths = [...pictures, ...files].map(({ path }) => path);
    expect(paths).toEqual(paths.toSorted());
    expect(paths).toEqual(paths.toSorted((a, b) => a.localeCompare(b)));
  });

  it('have the ids that the pages use', () => {
    const expected = [...pictures, ...files].map(({ path }, index) => [
      assetName(path),
      4711 + index,
    ]);
    expect(Object.entries(assets)).toEqual(expected);
  });

  it('are large enough to be cropped', () => {
    for (const { width, height } of pictures) {
      expect(Math.max(width, height)).toBeGreaterThanOrEqual(2000);
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(1600);
    }
  });

  it('are drawn with the same bytes each time', async () => {
    const hall = find('museum/hall.jpg');
    await drawPicture(hall, join(folder, 'first.jpg'));
    await drawPicture(hall, join(folder, 'second.jpg'));
    const [first, second] = await Promise.all(
      ['first.jpg', 'second.jpg'].map((name) => readFile(join(folder, name))),
    );
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
  });

  it('include one that lies on its side and says so', async () => {
    const file = join(folder, 'lighthouse.jpg');
    await drawPicture(find('harbour/lighthouse.jpg'), file);
    const stored = await sharp(file).metadata();
    expect(stored).toMatchObject({ width: 3000, height: 2000, orientation: 6 });
    const { info } = await sharp(file).autoOrient().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 2000, height: 3000 });
  });

  it('carry a lighter line every 200 pixels', async () => {
    const file = join(folder, 'compass.png');
    await drawPicture(find('collection/compass.png'), file);
    const { data, info } = await sharp(file)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const row = 60;
    const light = (x: number) => data[row * info.width * info.channels + x * info.channels] ?? 0;
    for (const x of [200, 400, 1000, 2200]) {
      expect(light(x)).toBeGreaterThan(light(x - 6));
    }
  });
});

function find(path: string): Picture {
  const picture = pictures.find((candidate) => candidate.path === path);
  if (!picture) throw new Error(`no picture ${path}`);
  return picture;
}

/** `ships/fishing-boats.jpg` is `fishingBoats`. */
function assetName(path: string): string {
  const name = basename(path, extname(path));
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
