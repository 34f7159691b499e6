import { isAssetId, parseAssetId } from '../../errors/asset-id.ts';
import type { GivenCuts } from '../crop-editor/crop-state.ts';

/** The value of a picker, as `mediaAsset()` of `astro-media-asset/schema` reads it. */
export interface PickedAsset extends Omit<GivenCuts, 'preset'> {
  readonly id: number;
  /** `''` for decoration. Without it, the record's text is shown. */
  readonly alt?: string | undefined;
}

/** A value with another asset, which has neither the old one's text nor its crops. */
export function withAsset(value: PickedAsset | undefined, id: number): PickedAsset {
  if (value?.id === id) return value;
  const { alt: _, crop: __, aspect: ___, focus: ____, sources, ...others } = value ?? {};
  return { ...others, id, sources: sources?.map(({ crop: _, ...source }) => source) };
}

/**
 * Reads what a CMS holds: an object, also as an immutable map, or an ID alone. Other keys stay as they
 * are. Returns `undefined` for a value without an asset.
 */
export function pickedAsset(given: unknown): PickedAsset | undefined {
  const { toJS } = Object(given) as { toJS?(): unknown };
  const plain = toJS ? toJS.call(given) : given;
  const value: object = typeof plain === 'object' && plain ? plain : { id: plain };
  const written: unknown = Reflect.get(value, 'id');
  const id = typeof written === 'string' ? parseAssetId(written.trim()) : written;
  if (!isAssetId(id)) return undefined;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
  return { ...Object.fromEntries(entries), id };
}
