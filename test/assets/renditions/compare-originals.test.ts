import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  compareOriginals,
  takeFingerprint,
} from '../../../src/assets/renditions/compare-originals.ts';

const photograph = (name: string) =>
  sharp(fileURLToPath(new URL(`../../../playground/media/${name}.jpg`, import.meta.url))).resize(
    900,
    600,
  );

const names = ['harbour/quay', 'people/net-maker', 'museum/hall'] as const;

const fingerprint = async (image: Sharp) =>
  takeFingerprint(await image.jpeg({ quality: 80 }).toBuffer());

const crop = { x: 0.3, y: 0.25, width: 0.4, height: 0.5 };

async function isSame(name: string, change: (image: Sharp) => Sharp): Promise<boolean> {
  const pixels = await photograph(name).png().toBuffer();
  const before = await fingerprint(sharp(pixels));
  return (await compareOriginals(before, await fingerprint(change(sharp(pixels)))))(crop);
}

describe.each(names)('%s counts as the same image', (name) => {
  test.each<[what: string, change: (image: Sharp) => Sharp]>([
    ['unchanged', (image) => image],
    ['in a third of its size', (image) => image.resize(300)],
    ['in twice its size', (image) => image.resize(1800)],
    ['lighter', (image) => image.modulate({ brightness: 1.15 })],
    ['with less contrast', (image) => image.linear(0.7, 38)],
    ['with another white balance', (image) => image.linear([1.1, 1, 0.9], [0, 0, 0])],
    ['in black and white', (image) => image.grayscale()],
    ['cut by 5 % on one side', (i) => i.extract({ left: 45, top: 0, width: 855, height: 600 })],
    ['cut on all sides', (i) => i.extract({ left: 30, top: 20, width: 840, height: 560 })],
  ])('%s', async (_, change) => {
    expect(await isSame(name, change)).toBe(true);
  });
});

describe.each(names)('%s counts as another image', (name) => {
  test.each<[what: string, change: (image: Sharp) => Sharp]>([
    ['mirrored', (image) => image.flop()],
    ['moved by a quarter', (i) => i.extract({ left: 225, top: 0, width: 675, height: 600 })],
    ['from nearer', (i) => i.extract({ left: 135, top: 90, width: 630, height: 420 })],
  ])('%s', async (_, change) => {
    expect(await isSame(name, change)).toBe(false);
  });

  test.each(names.filter((other) => other !== name))('than %s', async (other) => {
    const [before, now] = await Promise.all(
      [name, other].map((one) => fingerprint(photograph(one))),
    );
    expect((await compareOriginals(before as Buffer, now as Buffer))(crop)).toBe(false);
  });
});

test('an exchanged subject is another image only for a crop that shows it', async () => {
  const pixels = await photograph('harbour/quay').png().toBuffer();
  const subject = await photograph('people/pilot').resize(200, 200).png().toBuffer();
  const exchanged = sharp(pixels).composite([{ input: subject, left: 350, top: 200 }]);
  const isSameIn = await compareOriginals(
    await fingerprint(sharp(pixels)),
    await fingerprint(exchanged.png()),
  );
  expect(isSameIn({ x: 0.35, y: 0.3, width: 0.3, height: 0.4 })).toBe(false);
});

test('an image of one color equals another of one color', async () => {
  const plain = (background: string) =>
    fingerprint(sharp({ create: { width: 90, height: 60, channels: 3, background } }));
  expect((await compareOriginals(await plain('#336699'), await plain('#446699')))(crop)).toBe(true);
});

test('a fingerprint takes less than 2 kB, also as base64', async () => {
  const bytes = await fingerprint(photograph('harbour/quay'));
  expect(bytes.toString('base64').length).toBeLessThan(2000);
});
