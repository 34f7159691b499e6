import sharp from 'sharp';

/** The bytes that a service answers a download with: the original, or the crop of the query. */
export async function serveCrop(url: string, original: Buffer): Promise<Buffer> {
  const { pathname, searchParams } = new URL(url, 'http://service.example');
  if (!pathname.endsWith('/-1')) return original;
  const [left = 0, top = 0, width = 0, height = 0] = ['x1', 'y1', 'w', 'h'].map((name) =>
    Number(searchParams.get(name)),
  );
  return sharp(original).extract({ left, top, width, height }).toBuffer();
}
