import sharp from 'sharp';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels with transparency: four bytes a pixel (red, green, blue, alpha), row by row. */
export interface Layer extends Size {
  readonly data: Uint8Array;
}

/** Draws the inside of an `<svg>` element whose user units are pixels. */
export async function renderSvg(size: Size, body: string): Promise<Layer> {
  const { width, height } = size;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`;
  // Sketches of a whole scene pass the 10 MB that the parser allows by default.
  const data = await sharp(Buffer.from(svg), { unlimited: true }).ensureAlpha().raw().toBuffer();
  return { width, height, data };
}

/** Draws a small layer larger, softly: for clouds, glow and other things without edges. */
export async function enlarge(layer: Layer, size: Size): Promise<Layer> {
  const data = await sharp(layer.data, { raw: rawShape(layer) })
    .resize({ ...size, fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
  return { ...size, data };
}

/** Lays layers of one size over each other, the first at the bottom. */
export async function stack(bottom: Layer, ...upper: readonly Layer[]): Promise<Layer> {
  const data = await sharp(bottom.data, { raw: rawShape(bottom) })
    .composite(upper.map((layer) => ({ input: Buffer.from(layer.data), raw: rawShape(layer) })))
    .raw()
    .toBuffer();
  return { width: bottom.width, height: bottom.height, data };
}

export function rawShape(size: Size) {
  return { width: size.width, height: size.height, channels: 4 } as const;
}
