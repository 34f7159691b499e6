import sharp from 'sharp';
import type { Point, Rectangle } from '../formats/rendition.ts';
import type { Source } from '../formats/source.ts';
import { makeOnce, type SourceAccess } from '../sources/source-bytes.ts';
import { cutPicture } from './cut-picture.ts';

/** The longest side of the picture that is looked at, in pixels. */
const lookedAt = 512;

/**
 * The point of a rectangle that draws the eye (by sharp's `attention`: skin tones, saturated colours
 * and edges), in pixels of the original. It is kept in the cache, so that it is looked for once.
 */
export async function findAttention(
  access: SourceAccess,
  source: Source,
  rectangle: Rectangle,
): Promise<Point> {
  const { x, y, width, height } = rectangle;
  const point = await makeOnce(access, source, {
    name: `attention-${x}-${y}-${width}-${height}`,
    make: async (bytes) => Buffer.from(JSON.stringify(await pointIn(bytes, rectangle))),
  });
  return JSON.parse(point.toString()) as Point;
}

async function pointIn(bytes: Uint8Array, rectangle: Rectangle): Promise<Point> {
  const { picture } = await cutPicture(bytes, { corner: { x: 0, y: 0 }, rectangle });
  const small = await picture
    .resize(lookedAt, lookedAt, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const side = Math.max(1, Math.min(small.info.width, small.info.height) - 1);
  const { info } = await sharp(small.data, { raw: small.info })
    .resize(side, side, { fit: 'cover', position: sharp.strategy.attention })
    .toBuffer({ resolveWithObject: true });
  const { x, y, width, height } = rectangle;
  return {
    x: x + ((info.attentionX ?? small.info.width / 2) / small.info.width) * width,
    y: y + ((info.attentionY ?? small.info.height / 2) / small.info.height) * height,
  };
}
