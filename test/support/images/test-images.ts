import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

/** The pixels of an image as displayed: RGB, three bytes each, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TestImage {
  /** File name, with folders: `harbour/quay.jpg`. Its extension sets the format. */
  readonly path: string;
  /** Size as displayed, in pixels. */
  readonly width: number;
  readonly height: number;
  /**
   * EXIF orientation, 1 to 8. Stored pixels are rotated so that the displayed image is the same. Those of
   * a WebP aren't, because browsers ignore its orientation.
   */
  readonly orientation?: number;
  /** Makes images of the same size different. */
  readonly seed?: number;
}

const cell = 40;

/** The images that `drawTestImages` draws by default, as assets 4711 to 4714. */
const testImages: readonly TestImage[] = [
  { path: 'harbour/quay.jpg', width: 2400, height: 1600 },
  { path: 'harbour/tower.jpg', width: 1200, height: 1800, orientation: 6 },
  { path: 'map.png', width: 2000, height: 1000 },
  { path: 'ships/ferry.webp', width: 1600, height: 1200 },
];

/**
 * The content of a test image: a gradient in x (red) and in y (green), a different colour for each
 * cell of 40 px (blue), and a light grid of 2 px lines with a dark edge. A crop that is rotated,
 * scaled or off by one pixel differs from its region by far more than an encoder's loss.
 */
export function patternPixels({ width, height, seed = 0 }: Omit<TestImage, 'path'>): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) {
      const line = Math.min(x % cell, y % cell);
      const shade = line < 2 ? 255 : line < 4 ? 0 : undefined;
      data[at] = shade ?? Math.floor((x * 256) / width);
      data[at + 1] = shade ?? Math.floor((y * 256) / height);
      data[at + 2] = shade ?? cellColour(Math.floor(x / cell), Math.floor(y / cell), seed);
    }
  return { width, height, data };
}

/** A test image as a file, in the format of its path's extension. */
export async function drawTestImage(picture: TestImage): Promise<Buffer> {
  const { orientation = 1 } = picture;
  const isIgnored = picture.path.endsWith('.webp');
  const stored = storedPixels(patternPixels(picture), isIgnored ? 1 : orientation);
  const raw = { width: stored.width, height: stored.height, channels: 3 as const };
  const image = sharp(stored.data, { raw });
  const tagged = orientation === 1 ? image : image.withMetadata({ orientation });
  switch (picture.path.split('.').at(-1)) {
    case 'png':
      return tagged.png({ compressionLevel: 3 }).toBuffer();
    case 'webp':
      return tagged.webp({ lossless: true, effort: 0 }).toBuffer();
    case 'tif':
    case 'tiff':
      return tagged.tiff({ compression: 'deflate' }).toBuffer();
    case 'avif':
      return tagged.avif({ quality: 95, chromaSubsampling: '4:4:4', effort: 0 }).toBuffer();
    case 'gif':
      return tagged.gif().toBuffer();
    default:
      return tagged.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer();
  }
}

/**
 * Draws test images into a media folder.
 *
 * @param folder Default: a new temporary folder.
 * @returns The folder.
 */
export async function drawTestImages(
  pictures: readonly TestImage[] = testImages,
  folder?: string,
): Promise<string> {
  const media = folder ?? (await mkdtemp(join(tmpdir(), 'media-')));
  for (const picture of pictures) {
    const file = join(media, picture.path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await drawTestImage(picture));
  }
  return media;
}

/** The pixels of an encoded image as displayed. */
export async function displayedPixels(bytes: Uint8Array): Promise<Pixels> {
  const image = sharp(bytes);
  if ((await image.metadata()).format !== 'webp') image.autoOrient();
  const { data, info } = await image
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** The pixels of a region. */
export function regionPixels(pixels: Pixels, { x, y, width, height }: Rectangle): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * pixels.width + x) * 3;
    data.set(pixels.data.subarray(from, from + width * 3), row * width * 3);
  }
  return { width, height, data };
}

/** The mean and the largest difference of two images of the same size, of 255. */
export function pixelDifference(one: Pixels, other: Pixels): { mean: number; largest: number } {
  if (one.width !== other.width || one.height !== other.height)
    throw new Error(
      `Sizes differ: ${one.width} × ${one.height} and ${other.width} × ${other.height}.`,
    );
  let sum = 0;
  let largest = 0;
  // An iterator takes ten times as long.
  for (let index = 0; index < one.data.length; index++) {
    const difference = Math.abs((one.data[index] as number) - (other.data[index] as number));
    sum += difference;
    if (difference > largest) largest = difference;
  }
  return { mean: sum / one.data.length, largest };
}

/** The mean difference of an encoded image from pixels of its size, of 255. */
export async function meanDifference(
  bytes: Uint8Array | undefined,
  expected: Pixels,
): Promise<number> {
  return pixelDifference(await displayedPixels(bytes ?? new Uint8Array()), expected).mean;
}

function cellColour(column: number, row: number, seed: number): number {
  return (column * 73 + row * 151 + seed * 37 + ((column * row) % 7) * 29) % 256;
}

/**
 * The pixels that a camera stores so that a viewer which applies the EXIF orientation displays the
 * given ones (EXIF 2.3, 4.6.4 A). Written out to be independent of sharp.
 */
export function storedPixels(displayed: Pixels, orientation: number): Pixels {
  if (orientation === 1) return displayed;
  const { width: w, height: h } = displayed;
  const turned = orientation >= 5;
  const width = turned ? h : w;
  const height = turned ? w : h;
  const data = new Uint8Array(w * h * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = displayedAt(orientation, x, y, w, h);
      const from = (fromY * w + fromX) * 3;
      data.set(displayed.data.subarray(from, from + 3), (y * width + x) * 3);
    }
  return { width, height, data };
}

/** The place of the stored pixel (x, y) in a displayed image of w × h. */
function displayedAt(
  orientation: number,
  x: number,
  y: number,
  w: number,
  h: number,
): readonly [number, number] {
  switch (orientation) {
    case 2:
      return [w - 1 - x, y];
    case 3:
      return [w - 1 - x, h - 1 - y];
    case 4:
      return [x, h - 1 - y];
    case 5:
      return [y, x];
    case 6:
      return [w - 1 - y, x];
    case 7:
      return [w - 1 - y, h - 1 - x];
    case 8:
      return [y, h - 1 - x];
    default:
      return [x, y];
  }
}
