import type { Asset } from '../library/asset.ts';
import { measureAsset } from '../library/asset-file.ts';
import type { MediaLibrary } from '../library/media-library.ts';
import { contentType } from './content-type.ts';
import { selectFields, type WantedFields } from './parse-fields.ts';

/** The fields that a record has of its own: no metadata can have these names. */
export const recordFields: readonly string[] = [
  'id',
  'name',
  'filename',
  'folder',
  'size',
  'type',
  'modified',
  'processed',
];

/**
 * An asset as the service lists it: its own fields, then its metadata. `size` is in bytes,
 * `modified` ISO 8601 or null, `folder` the id of its folder; `processed` is false until its content
 * has come.
 */
export function fileRecord(
  asset: Asset,
  library: MediaLibrary,
  fields: WantedFields,
): Record<string, unknown> {
  const facts = asset.awaited === undefined ? measureAsset(asset) : undefined;
  return selectFields(
    {
      id: asset.id,
      name: asset.title,
      filename: asset.name,
      folder: library.folder(asset.folder)?.id ?? null,
      size: facts?.size ?? asset.awaited ?? 0,
      type: contentType(asset.name).split(';', 1)[0],
      modified: facts?.modified.toISOString() ?? null,
      processed: asset.awaited === undefined,
      ...asset.metadata,
    },
    fields,
  );
}
