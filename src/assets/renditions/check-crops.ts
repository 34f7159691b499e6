import { mediaAssetError } from '../../errors/errors.ts';
import type { DownloadRequest } from '../../service/requests.ts';
import type { Download, MediaService } from '../../service/types.ts';
import { displayedSize } from '../formats/probe-image.ts';
import type { Rectangle, Size } from '../formats/rendition.ts';
import { sharp } from '../formats/sharp.ts';
import { sniffBytes } from '../formats/sniff-bytes.ts';
import type { ToCustomFormat } from '../geometry/custom-format-parameters.ts';
import { type CropComparison, compareCrops } from './compare-crops.ts';

/**
 * Requests an off-center crop of an asset from the service, and compares it with the same crop of the
 * original.
 */
export async function checkCrops({
  service,
  id,
  customFormat,
}: {
  service: MediaService;
  id: number;
  customFormat: ToCustomFormat;
}): Promise<CropComparison> {
  const original = await readImage(await service.files.original(id), id);
  return orNotAnImage(id, async () => {
    const image = displayedSize(await sharp(original).metadata());
    const rectangle = telltaleCrop(image);
    const parameters = customFormat(rectangle, image);
    const crop = await readImage(await service.files.customFormat(id, parameters), id);
    return compareCrops({ original, crop, rectangle });
  });
}

/** As displayed, in pixels. */
export async function originalSize(
  service: Pick<MediaService, 'files'>,
  id: number,
  request: Pick<DownloadRequest, 'signal'>,
): Promise<Size> {
  const original = await readImage(await service.files.original(id, request), id);
  return orNotAnImage(id, async () =>
    displayedSize(await sharp(original, { limitInputPixels: false }).metadata()),
  );
}

async function orNotAnImage<T>(id: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error) || 'code' in cause) throw cause;
    const received = 'a damaged or incomplete image';
    throw mediaAssetError('download-not-a-picture', { what: `asset ${id}`, received }, { cause });
  }
}

async function readImage(download: Download, id: number): Promise<Uint8Array> {
  if (download.status === 'unchanged') throw new Error('No condition was set.');
  const bytes = new Uint8Array(await new Response(download.body).arrayBuffer());
  const { kind, description } = sniffBytes(bytes);
  // Nothing else reaches a decoder.
  if (kind) return bytes;
  throw mediaAssetError('download-not-a-picture', { what: `asset ${id}`, received: description });
}

/** An off-center part of an image with another shape than the image, so that its meanings differ. */
export function telltaleCrop({ width, height }: Size): Rectangle {
  return {
    x: Math.floor(width / 5),
    y: Math.floor(height / 7),
    width: Math.max(1, Math.floor(width / 2)),
    height: Math.max(1, Math.floor(height / 3)),
  };
}
