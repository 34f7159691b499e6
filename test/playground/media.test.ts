import { globSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { mediaFolder } from '../../playground/scripts/processes/emulator.ts';
import { assets } from '../../playground/src/assets.ts';

const files = globSync('**/*.*', { cwd: mediaFolder })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.json'))
  .sort();
const pictures = files.filter((path) => /\.(jpg|png)$/.test(path));

describe("the playground's media", () => {
  it('has the IDs that the pages use, with any sort order of its paths', () => {
    const expected = files.map((path, index) => [assetName(path), 4711 + index]);
    expect(Object.entries(assets)).toEqual(expected);
    expect(files).toEqual(files.toSorted((a, b) => a.localeCompare(b)));
  });

  it('stays small enough to clone', () => {
    const sizes = files.map((path) => statSync(join(mediaFolder, path)).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500_000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(12_000_000);
  });

  it('has images that are large enough to be cropped', async () => {
    expect(pictures).toHaveLength(20);
    for (const path of pictures) {
      const { width, height } = await sharp(join(mediaFolder, path)).metadata();
      expect(Math.max(width, height), path).toBeGreaterThanOrEqual(2000);
      expect(Math.min(width, height), path).toBeGreaterThanOrEqual(1600);
    }
  });

  it('has a photograph like that of a phone held upright, rotated and with a profile', async () => {
    const file = join(mediaFolder, 'harbour/lighthouse.jpg');
    const stored = await sharp(file).metadata();
    expect(stored).toMatchObject({ width: 3000, height: 2000, orientation: 6 });
    expect(stored.autoOrient).toMatchObject({ width: 2000, height: 3000 });
    expect(stored.icc).toBeDefined();
    expect(stored.exif?.toString('latin1')).toContain('Ravnsund Museum');
  });

  it('has images with a lighter line every 200 pixels', async () => {
    const { data, info } = await sharp(join(mediaFolder, 'collection/compass.jpg'))
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

/** `ships/fishing-boats.jpg` is `fishingBoats`. */
function assetName(path: string): string {
  const name = basename(path, extname(path));
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
