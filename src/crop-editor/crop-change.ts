import type { Crop, Focus } from '../assets/geometry/crop.ts';

/** What an author has changed. `null` removes a prop, and a missing one stays. */
export interface CropChange {
  readonly crop?: Crop | null | undefined;
  readonly aspect?: number | string | null | undefined;
  readonly focus?: Focus | null | undefined;
  /** The crops of entries of `sources`, by their position. */
  readonly sources?: { readonly index: number; readonly crop: Crop | null }[] | undefined;
}
