import { probeImage, readStart } from '../../assets/formats/probe-image.ts';
import { sniffBytes } from '../../assets/formats/sniff-bytes.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { CropArgument } from '../command-options.ts';

/**
 * Checks that a downloaded crop has the requested size.
 *
 * @throws `custom-format-mismatch`, `download-not-a-picture`, `picture-too-large`
 */
export async function checkCrop(
  path: string,
  { id, crop: { x, y, width, height } }: { id: number; crop: CropArgument },
): Promise<void> {
  const found = await probeImage(path, `the crop of asset ${id}`);
  if (found.width === width && found.height === height) return;
  throw mediaAssetError('custom-format-mismatch', {
    id,
    page: `--crop ${x},${y},${width},${height}`,
    expected: `${width} × ${height} pixels`,
    received: `${found.width} × ${found.height} pixels`,
  });
}

/**
 * Refuses HTML in disguise, unless it has a file name, because an asset can be HTML too.
 *
 * @throws `answer-html`
 */
export async function checkOriginal(
  path: string,
  { id, filename }: { id: number; filename: string | undefined },
): Promise<void> {
  if (filename) return;
  const { description } = sniffBytes(await readStart(path));
  if (description !== 'an HTML page') return;
  throw mediaAssetError('answer-html', { call: `the original of asset ${id}` });
}
