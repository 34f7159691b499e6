import type { CallContext, EmulatorState } from '../emulator-state.ts';
import type { Asset } from '../library/asset.ts';
import { contentType, measureAsset } from '../library/asset-file.ts';
import { fieldName } from '../library/sidecars.ts';
import type { EmulatorSettings } from '../settings.ts';
import { badRequest } from './http-error.ts';

/** A record's own fields. Metadata can't use these names. */
export const recordFields = 'id name filename folder size type modified processed'.split(' ');

/** The library's own fields; `undefined` if it takes any. */
export function declaredFields({ fields }: Pick<EmulatorSettings, 'fields'>): string[] | undefined {
  return fields === '' ? undefined : fields.split(',');
}

/**
 * An asset as the service lists it: its own fields, then its metadata. `size` is in bytes,
 * `modified` is ISO 8601 or `null`, `folder` is an ID. `processed` is `false` without content.
 */
export function fileRecord(
  asset: Asset,
  { library, settings }: Pick<EmulatorState, 'library' | 'settings'>,
  fields?: WantedFields,
): Record<string, unknown> {
  const declared = declaredFields(settings)?.map((name) => [name, asset.metadata[name] ?? null]);
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
      ...(declared ? Object.fromEntries(declared) : asset.metadata),
    },
    fields,
  );
}

/** The fields to return of each record; `undefined` for all. */
export type WantedFields = ReadonlySet<string> | undefined;

/** Reads `fields`: names in any case, or `all` (the default). Unknown names select nothing. */
export function parseFields(c: CallContext): WantedFields {
  const text = onlyValue(c, 'fields');
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  if (!fieldName.array().max(100).safeParse(names).success)
    throw badRequest(
      'fields-invalid',
      `fields must be all, or up to 100 names separated by commas; received ${text.slice(0, 80) || 'nothing'}.`,
    );
  const plain = names.map((name) => name.toLowerCase());
  return plain.includes('all') ? undefined : new Set(plain);
}

export function selectFields(
  record: Readonly<Record<string, unknown>>,
  fields: WantedFields,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => fields?.has(name.toLowerCase()) ?? true),
  );
}

/** Reads a parameter that may be given once. Throws HttpError 400 if it's repeated. */
export function onlyValue(c: CallContext, name: string): string | undefined {
  const [value, ...more] = c.req.queries(name) ?? [];
  if (more.length > 0) throw badRequest('parameter-repeated', `${name} must be given once.`);
  return value;
}
