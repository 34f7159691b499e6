import { mediaAssetError } from '../../errors/errors.ts';
import type { Recipe } from '../formats/rendition.ts';
import type { Place } from '../request/prop-readers.ts';

export type SvgRule = 'refuse' | 'trust';

/** The recipe for an SVG on a page, which is published unchanged. @throws `svg-refused` */
export function svgRecipe({ svg = 'refuse' }: { svg: SvgRule | undefined }, place: Place): Recipe {
  if (svg === 'refuse') {
    throw mediaAssetError('svg-refused', { ...place, why: "which this site doesn't allow" });
  }
  return { format: 'svg', quality: undefined, animated: false, gamut: 'srgb' };
}

/** Refuses an SVG that only an earlier build was allowed to publish. @throws `svg-refused` */
export function assertSvgPublishable(
  { format }: Recipe,
  { svg = 'refuse', ...place }: { svg: SvgRule | undefined } & Place,
): void {
  if (format !== 'svg' || svg === 'trust') return;
  throw mediaAssetError('svg-refused', { ...place, why: 'which this site no longer allows' });
}
