import type { Crop, Focus } from '../assets/geometry/crop.ts';
import type { CropChange } from './crop-change.ts';

/** What an author has drawn for an asset, to copy it. */
export interface DrawnCrop {
  readonly crop?: Crop | undefined;
  readonly aspect?: number | string | undefined;
  readonly focus?: Focus | undefined;
}

/** Takes over what changed: `null` removes a value. */
export function applyChange(drawn: DrawnCrop, change: CropChange): DrawnCrop {
  const pick = <Value>(before: Value | undefined, after: Value | null | undefined) =>
    after === undefined ? before : (after ?? undefined);
  return {
    crop: pick(drawn.crop, change.crop),
    aspect: pick(drawn.aspect, change.aspect),
    focus: pick(drawn.focus, change.focus),
  };
}

export function describeDrawn({ crop, aspect }: DrawnCrop): string {
  if (crop) return `Crop ${Math.round(crop.width)} × ${Math.round(crop.height)} px`;
  return aspect === undefined ? '' : `Shape ${aspect}`;
}
