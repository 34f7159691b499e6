import { mediaAssetError } from '../../errors/errors.ts';
import type { Recipe } from '../formats/rendition.ts';
import type { Place } from '../request/prop-readers.ts';
import { loadSanitizer } from './sanitize-svg.ts';

const svgRules = ['refuse', 'sanitize', 'trust'] as const;
export type SvgRule = (typeof svgRules)[number];

/** The recipe for an SVG on a page. @throws `svg-refused`, `package-missing` */
export async function svgRecipe(
  { svg = 'refuse', delivery }: { svg: SvgRule | undefined; delivery: 'static' | 'service' },
  { credit, ...place }: Place & Pick<Recipe, 'credit'>,
): Promise<Recipe> {
  if (svg === 'refuse') throw refused(place, "which this site doesn't allow");
  if (svg === 'sanitize' && delivery === 'service') {
    throw refused(place, "which can't be sanitized when the service delivers it");
  }
  const sanitizer = svg === 'sanitize' ? (await loadSanitizer()).name : undefined;
  return {
    ...{ format: 'svg', quality: undefined, animated: false, gamut: 'srgb', sanitizer },
    // A trusted SVG is published unchanged.
    ...(sanitizer && credit && { credit }),
  };
}

/** Refuses an SVG that only an earlier build was allowed to publish. @throws `svg-refused` */
export function assertSvgPublishable(
  { format, sanitizer }: Recipe,
  { svg = 'refuse', ...place }: { svg: SvgRule | undefined } & Place,
): void {
  if (format !== 'svg' || svg === 'trust' || (svg === 'sanitize' && sanitizer)) return;
  throw refused(place, 'which this site no longer allows');
}

function refused(place: Place, why: string) {
  return mediaAssetError('svg-refused', { ...place, why });
}
