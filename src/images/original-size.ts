import sharp from 'sharp';
import { mediaAssetError } from '../errors.ts';
import type { Download, DownloadRequest, MediaService } from '../service/media-service.ts';
import { displayedSize } from './probe-picture.ts';
import type { Size } from './rendition.ts';
import { sniffBytes } from './sniff-bytes.ts';

/** How many bytes of a picture tell its size, but for rare ones. */
const headBytes = 64 * 1024;

/**
 * The size of an original as displayed, in pixels: from the head of it, else from all of it.
 *
 * @throws what the client throws; `download-not-a-picture`
 */
export async function originalSize(
  service: Pick<MediaService, 'files'>,
  id: number,
  request: Pick<DownloadRequest, 'signal'>,
): Promise<Size> {
  const head = await bytesOf(await service.files.original(id, { ...request, first: headBytes }));
  const { kind, description } = sniffBytes(head);
  const notAPicture = (received: string, cause?: unknown) =>
    mediaAssetError('download-not-a-picture', { what: `asset ${id}`, received }, { cause });
  // Nothing else gets to a decoder.
  if (!kind) throw notAPicture(description);
  const found = await sizeOf(head).catch(() => undefined);
  if (found) return found;
  const whole = await bytesOf(await service.files.original(id, request));
  return sizeOf(whole).catch((cause: unknown) => {
    throw notAPicture(`${description} that is broken or cut short`, cause);
  });
}

async function sizeOf(picture: Uint8Array): Promise<Size> {
  return displayedSize(await sharp(picture, { limitInputPixels: false }).metadata());
}

async function bytesOf(download: Download): Promise<Uint8Array> {
  if (download.status === 'unchanged') throw new Error('No condition was set.');
  return new Uint8Array(await new Response(download.body).arrayBuffer());
}
