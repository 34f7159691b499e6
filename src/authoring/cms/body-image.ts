import { writeCrop } from '../../assets/geometry/write-crop.ts';
import type { PickedAsset } from '../picker/picked-asset.ts';
import { escapeLabel, isCrop } from '../source/edit/write-value.ts';

/** An image alone on its line of Markdown: `![The quay](media:4711?crop=400,200,2400,1600)`. */
export const imagePattern = /^!\[((?:\\.|[^\]\\])*)\]\(media:(-?[1-9]\d*)(?:\?([^)\s]*))?\)$/;

/** An image, with the Markdown that it was read from. */
type BodyImage = PickedAsset & { readonly source?: string | undefined };

/** Reads a match of the pattern. */
export function readImage([source, label = '', id, query]: readonly string[]): BodyImage {
  const given = new URLSearchParams(query);
  const numbers = (name: string, keys: readonly string[]) => {
    const parts = given.get(name)?.split(',').map(Number) ?? [];
    const isWhole = parts.length === keys.length && !parts.some(Number.isNaN);
    return isWhole ? Object.fromEntries(keys.map((key, at) => [key, parts[at]])) : undefined;
  };
  const crop = numbers('crop', ['x', 'y', 'width', 'height']);
  const unit = /[.e]/.test(given.get('crop') ?? '') ? { unit: 'fraction' } : {};
  const aspect = given.get('aspect') ?? undefined;
  return {
    ...{ id: Number(id), alt: given.has('decoration') ? '' : unescapeLabel(label) || undefined },
    ...{ crop: crop && { ...unit, ...crop }, aspect: Number(aspect) || aspect, source },
    focus: numbers('focus', ['x', 'y']) ?? given.get('focus') ?? undefined,
  } as BodyImage;
}

/** Writes an image, as it was if nothing has changed. Parameters that no picker knows stay. */
export function writeImage({ source = '', ...image }: BodyImage): string {
  const match = imagePattern.exec(source);
  const all = match?.[3]?.split('&') ?? [];
  const before = match && readImage(match);
  const others = all.filter((one) => !/^(?:crop|aspect|focus|decoration)(?:=|$)|^$/.test(one));
  const write = ({ id, alt, crop, aspect, focus }: PickedAsset) => {
    const cut = Object.entries({ crop, aspect, focus }).filter(([, one]) => one !== undefined);
    const own = cut.map(([key, one]) => `${key}=${isCrop(one) ? writeCrop(one, 'address') : one}`);
    const query = [...own, ...(alt === '' ? ['decoration'] : []), ...others].join('&');
    // A text that stays keeps its writing, such as entities and emphasis.
    const label = before?.alt === alt ? match?.[1] : undefined;
    return `![${label ?? escapeLabel(alt ?? '')}](media:${id}${query && `?${query}`})`;
  };
  const now = write(image);
  return before && write(before) === now ? source : now;
}

/** Escapes of characters, and of line ends and spaces, which `escapeLabel` writes. */
function unescapeLabel(label: string): string {
  return label.replace(/\\(.)|&#(\d+);/g, (_, one, code) => one ?? String.fromCharCode(code));
}
