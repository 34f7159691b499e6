import { mediaAssetError } from '../../errors/errors.ts';
import { originalOf, type Source } from '../formats/source.ts';
import { makeOnce, type SourceAccess } from '../sources/source-bytes.ts';
import { cutImage } from './cut-image.ts';

/**
 * A small WebP of a whole image as displayed, without metadata. It's cached with the asset, and never
 * published.
 *
 * @param size.width the most pixels of its width
 * @throws errors of the sources; `svg-not-cropped`, because an SVG has no pixels
 */
export async function previewImage(
  access: SourceAccess,
  { id, width }: { id: number; width: number },
): Promise<Buffer> {
  const source = await access.sources.get(originalOf(id));
  if (source.kind === 'svg') {
    throw mediaAssetError('svg-not-cropped', { id, page: 'The toolbar', what: 'a preview' });
  }
  return makeOnce(access, source, {
    name: `preview-${width}`,
    make: async (bytes) => {
      const { image } = await cutImage(bytes, {
        corner: { x: 0, y: 0 },
        rectangle: wholeOf(source),
      });
      return image
        .resize({ width, withoutEnlargement: true })
        .toColourspace('srgb')
        .webp({ quality: 80 })
        .toBuffer();
    },
  });
}

function wholeOf({ width, height }: Source) {
  return { x: 0, y: 0, width, height };
}
