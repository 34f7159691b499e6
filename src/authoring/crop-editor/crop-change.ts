import type { Crop, Focus } from '../../assets/geometry/crop.ts';

/** The props that decide which part of an asset an image, or an entry of its `sources`, shows. */
export interface GivenCut {
  readonly crop?: Crop | undefined;
  readonly aspect?: number | string | undefined;
  readonly focus?: Focus | undefined;
  /** Has an aspect of its own, perhaps, which only another one replaces. */
  readonly preset?: string | undefined;
}

/** What an author has changed. `null` removes a prop, and a missing one stays. */
export interface CropChange {
  readonly crop?: Crop | null | undefined;
  readonly aspect?: number | string | null | undefined;
  readonly focus?: Focus | null | undefined;
  readonly sources?: { readonly index: number; readonly crop: Crop | null }[] | undefined;
}

/** Takes over what changed: `null` removes a value. */
export function applyChange(cut: GivenCut, change: CropChange): GivenCut {
  const pick = <Value>(before: Value | undefined, after: Value | null | undefined) =>
    after === undefined ? before : (after ?? undefined);
  return {
    crop: pick(cut.crop, change.crop),
    aspect: pick(cut.aspect, change.aspect),
    focus: pick(cut.focus, change.focus),
  };
}

export function describeDrawn({ crop, aspect }: GivenCut): string {
  if (crop) return `Crop ${Math.round(crop.width)} × ${Math.round(crop.height)} px`;
  return aspect === undefined ? '' : `Shape ${aspect}`;
}
