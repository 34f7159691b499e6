import type { Asset } from '../library/asset.ts';
import { measureAsset } from '../library/asset-file.ts';
import type { MediaLibrary } from '../library/media-library.ts';
import { contentType } from './content-type.ts';
import { selectFields, type WantedFields } from './parse-fields.ts';

/** A record's own fields. Metadata can't use these names. */
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
 * `modified` is ISO 8601 or `null`, `folder` is an ID. `processed` is `false` without content.
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
