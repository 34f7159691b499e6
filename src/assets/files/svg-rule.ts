import { mediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject } from '../../errors/place.ts';
import type { Recipe } from '../formats/rendition.ts';

export type SvgRule = 'refuse' | 'trust';

/** The recipe for an SVG on a page, which is published unchanged. @throws `svg-refused` */
export function svgRecipe(svg: SvgRule = 'refuse', subject: AssetSubject): Recipe {
  if (svg === 'refuse') {
    throw mediaAssetError('svg-refused', { ...subject, why: "which this site doesn't allow" });
  }
  return { format: 'svg', quality: undefined, animated: false, gamut: 'srgb' };
}

/** Refuses an SVG that only an earlier build was allowed to publish. @throws `svg-refused` */
export function assertSvgPublishable(
  { format }: Recipe,
  svg: SvgRule = 'refuse',
  subject: AssetSubject,
): void {
  if (format !== 'svg' || svg === 'trust') return;
  throw mediaAssetError('svg-refused', { ...subject, why: 'which this site no longer allows' });
}
