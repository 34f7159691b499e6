import sharp, { type Sharp } from 'sharp';
import type { Shot } from './picture.ts';

/** A WebP of one frame, or an animated one. */
export function webp(shots: readonly Shot[], quality = 82): Promise<Buffer> {
  const images = shots.map(({ image }) => image);
  const [first] = images;
  const isAnimated = images.length > 1;
  const delay = shots.map(({ ms }) => ms);
  return (
    (isAnimated ? sharp(images, { join: { animated: true } }) : sharp(first))
      // Otherwise colours bleed over the images' edges into the page.
      .webp({ quality, smartSubsample: true, effort: 6, ...(isAnimated && { delay }) })
      .toBuffer()
  );
}

/** Windows with round corners, next to each other, on a background that suits light and dark pages. */
export async function sideBySide(shots: readonly Shot[]): Promise<Sharp> {
  const gap = 24;
  let left = -gap;
  let height = 0;
  const windows: { input: Buffer; left: number; top: number }[] = [];
  for (const { image } of shots) {
    const size = await sharp(image).metadata();
    const corners = Buffer.from(
      `<svg width="${size.width}" height="${size.height}"><rect width="100%" height="100%" rx="12"/></svg>`,
    );
    const rounded = sharp(image).composite([{ input: corners, blend: 'dest-in' }]);
    windows.push({ input: await rounded.png().toBuffer(), left: left + gap, top: 0 });
    left += gap + size.width;
    height = Math.max(height, size.height);
  }
  return sharp({ create: { width: left, height, channels: 4, background: '#0000' } }).composite(
    windows,
  );
}
