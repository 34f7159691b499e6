import sharp from 'sharp';
import { mediaAssetError } from '../errors.ts';
import type { Download, MediaService } from '../service/media-service.ts';
import { type CropComparison, compareCrops, telltaleCrop } from './compare-crops.ts';
import type { ToCustomFormat } from './custom-format-parameters.ts';
import { displayedSize } from './probe-picture.ts';
import { sniffBytes } from './sniff-bytes.ts';

interface CropCheck {
  service: MediaService;
  id: number;
  customFormat: ToCustomFormat;
}

/**
 * Asks a service for an off-centre crop of an asset, and compares it with the same crop of the
 * original.
 *
 * @throws what the client throws; `download-not-a-picture`
 */
export async function checkCrops(request: CropCheck): Promise<CropComparison> {
  const { service, id } = request;
  const original = await pictureOf(await service.files.original(id), id);
  return compareCustomFormat({ ...request, original });
}

/**
 * The same for an original that is at hand.
 *
 * @throws what the client throws; `download-not-a-picture`
 */
export async function compareCustomFormat({
  service,
  id,
  customFormat,
  original,
}: CropCheck & { original: Uint8Array }): Promise<CropComparison> {
  try {
    const picture = displayedSize(await sharp(original).metadata());
    const rectangle = telltaleCrop(picture);
    const parameters = customFormat(rectangle, picture);
    const crop = await pictureOf(await service.files.customFormat(id, parameters), id);
    return await compareCrops({ original, crop, rectangle });
  } catch (cause) {
    if (!(cause instanceof Error) || 'code' in cause) throw cause;
    const received = 'a picture that is broken or cut short';
    throw mediaAssetError('download-not-a-picture', { what: `asset ${id}`, received }, { cause });
  }
}

async function pictureOf(download: Download, id: number): Promise<Uint8Array> {
  if (download.status === 'unchanged') throw new Error('No condition was set.');
  const bytes = new Uint8Array(await new Response(download.body).arrayBuffer());
  const { kind, description } = sniffBytes(bytes);
  // Nothing else gets to a decoder.
  if (kind) return bytes;
  throw mediaAssetError('download-not-a-picture', { what: `asset ${id}`, received: description });
}
