import type { Crop, Focus } from '../assets/geometry/crop.ts';

/** What an author has changed. `null` removes a prop, and a missing one stays. */
export interface CropChange {
  readonly crop?: Crop | null;
  readonly aspect?: number | string | null;
  readonly focus?: Focus | null;
  /** The crops of entries of `sources`, by index. */
  readonly sources?: Readonly<Record<number, Crop | null>>;
}
