import type { EmulatorState } from '../emulator-state.ts';
import type { Asset } from '../library/asset.ts';
import { measureAsset } from '../library/asset-file.ts';
import type { EmulatorSettings } from '../settings.ts';
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

/** The library's own fields; `undefined` if it takes any. */
export function declaredFields({ fields }: Pick<EmulatorSettings, 'fields'>): string[] | undefined {
  return fields === '' ? undefined : fields.split(',');
}

/** The declared fields of a record, also those without a value. */
function metadataOf(
  { metadata }: Asset,
  settings: Pick<EmulatorSettings, 'fields'>,
): Asset['metadata'] {
  const declared = declaredFields(settings);
  if (!declared) return metadata;
  return Object.fromEntries(declared.map((name) => [name, metadata[name] ?? null]));
}

/**
 * An asset as the service lists it: its own fields, then its metadata. `size` is in bytes,
 * `modified` is ISO 8601 or `null`, `folder` is an ID. `processed` is `false` without content.
 */
export function fileRecord(
  asset: Asset,
  { library, settings }: Pick<EmulatorState, 'library' | 'settings'>,
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
      ...metadataOf(asset, settings),
    },
    fields,
  );
}
