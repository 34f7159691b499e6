import sharp from 'sharp';

/** A service's answer to a download: the original, or the crop in the query. */
export async function serveCrop(url: string, original: Buffer): Promise<Buffer> {
  const { pathname, searchParams } = new URL(url, 'http://service.example');
  if (!pathname.endsWith('/-1')) return original;
  const [left = 0, top = 0, width = 0, height = 0] = ['x1', 'y1', 'w', 'h'].map((name) =>
    Number(searchParams.get(name)),
  );
  return sharp(original).extract({ left, top, width, height }).toBuffer();
}
