import { open, readFile, stat } from 'node:fs/promises';
import type { Metadata } from 'sharp';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { Size } from '../geometry/rectangle.ts';
import { sourceTypeIn } from './credit.ts';
import * as memory from './decoding-memory.ts';
import { probeSvg } from './probe-svg.ts';
import { readGif } from './read-gif.ts';
import { inspectImage, withAvifBrand } from './reading.ts';
import { sharp } from './sharp.ts';
import { type RasterKind, rasterKinds, sniffBytes, sniffedBytes } from './sniff-bytes.ts';
import type { ImageFacts } from './source.ts';
import { xmpOfGif } from './xmp.ts';

/** Kinds whose pages are animation frames. */
const animatedKinds: readonly string[] = ['gif', 'webp'];

type Probed = Omit<ImageFacts, 'fetchedAt'>;

interface Proof extends Pick<Probed, 'width' | 'height' | 'animated'> {
  readonly bytes: Buffer;
  readonly failOn: 'error' | 'warning';
}

/** Reads all pixels of an image, whose hash is given. Throws if one is damaged. */
export type Prove = (hash: string) => (image: Buffer | string, proof: Proof) => Promise<unknown>;

/**
 * Proves that all of an image file can be decoded. `what` names the file in messages.
 *
 * @param decode reads all pixels, and throws if one is damaged
 */
export async function probeImage(
  file: string,
  what: string,
  decode: ReturnType<Prove> = decodeSmall,
): Promise<Probed> {
  const { kind: expected, isSvg, description } = sniffBytes(await readStart(file));
  const notAnImage = (received: string, cause?: unknown) =>
    mediaAssetError('download-not-a-picture', { what, received }, { cause });
  if (isSvg) return probeSvgFile(file, what, notAnImage);
  // Nothing else may reach a decoder. An SVG, for example, could refer to other files.
  if (expected === undefined) throw notAnImage(description);
  const damaged = (thrown: unknown): never => {
    if (isMediaAssetError(thrown)) throw thrown;
    throw notAnImage(`${description} that is damaged or incomplete`, thrown);
  };
  const input = expected === 'avif' ? withAvifBrand(await readFile(file)) : file;
  const metadata = await sharp(input, { limitInputPixels: false }).metadata().catch(damaged);
  const kind = kindOf(metadata);
  if (kind === undefined) throw notAnImage(`${description} of an unsupported type`);
  const { width, height } = displayedSize(metadata);
  const limit = memory.mostPixels(metadata);
  if (width * height > limit) {
    const size = `${width} × ${height} pixels`;
    throw mediaAssetError('picture-too-large', { what, size, limit });
  }
  const found = await memory
    .whileDecoding(memory.decodedBytes(metadata), async () => {
      const bytes = await readFile(file);
      const { unread, otherColors, hidesDamage, isStill = false } = inspectImage(bytes, metadata);
      if (unread) throw notAnImage(unread);
      if (otherColors) throw mediaAssetError('image-colors', { what, colors: otherColors });
      await decode(input, {
        ...{ bytes, width, height, animated: isAnimation(metadata) },
        failOn: hidesDamage ? 'warning' : 'error',
      });
      const digitalSourceType = readSourceType(bytes, metadata);
      memory.freeBytes(bytes);
      return { digitalSourceType, isStill };
    })
    .catch(damaged);
  return {
    ...{ kind, width, height, ...found },
    animated: isAnimation(metadata),
    transparent: metadata.hasAlpha,
  };
}

/** The digital source type of an image that a decoder can open. */
function readSourceType(
  bytes: Buffer,
  { format, xmp }: Pick<Metadata, 'format' | 'xmp'>,
): string | undefined {
  if (format === 'gif' && !readGif(bytes).isWhole) throw new Error('A part of the GIF is missing.');
  const own = format === 'gif' ? xmpOfGif(bytes) : xmp;
  return sourceTypeIn(own?.toString() ?? '');
}

/**
 * Decodes a JPEG at an eighth of its size, which still reads all of its bytes. The first rendition can't
 * check them instead: a page decides while it renders whether an image is unavailable, a broken version
 * must not replace a cached one, and some builds make no rendition.
 */
export function decodeSmall(image: Buffer | string, { failOn }: Pick<Proof, 'failOn'>) {
  return sharp(image, { failOn, limitInputPixels: memory.largestImage })
    .timeout({ seconds: memory.longestDecoding })
    .resize(16, 16, { fit: 'inside' })
    .raw()
    .toBuffer();
}

/** Whether its EXIF orientation applies. Browsers ignore that of a WebP; so do we. */
export function isTurned({ format, orientation = 1 }: Metadata): boolean {
  return format !== 'webp' && orientation > 1;
}

function isAnimation({ format, pages = 1 }: Metadata): boolean {
  return pages > 1 && animatedKinds.includes(format);
}

/** The size of an image, or of a frame, as displayed. */
export function displayedSize(metadata: Metadata): Size {
  const { width, height } = isTurned(metadata) ? metadata.autoOrient : metadata;
  return { width, height };
}

async function probeSvgFile(
  file: string,
  what: string,
  notAnImage: (received: string, cause: unknown) => Error,
): Promise<Probed> {
  const { size } = await stat(file);
  if (size > largestSvg) {
    const details = { what, size: `${size} bytes`, limit: largestSvg };
    throw mediaAssetError('picture-too-large', details);
  }
  try {
    const { width, height } = probeSvg(await readFile(file));
    return { kind: 'svg', width, height, animated: false, isStill: false, transparent: true };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw notAnImage(`an invalid SVG: ${reason}`, thrown);
  }
}

function kindOf({ format, compression }: Metadata): RasterKind | undefined {
  if (format === 'heif') return compression === 'av1' ? 'avif' : undefined;
  return rasterKinds.find((kind) => kind === format);
}

export async function readStart(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The most bytes of an SVG. */
const largestSvg = 5 * 1024 ** 2;
