import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import { sidecarExtension } from './walk-media-folder.ts';

/** Reads the fields for a media file from the JSON file next to it: `quay.jpg.json` for `quay.jpg`. */
export function readSidecar(file: string): Metadata {
  const path = `${file}${sidecarExtension}`;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return {};
  try {
    return metadataSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const problem = 'it isn\'t an object of fields, such as { "alttext": "…" }';
    throw mediaAssetError('emulator-media-unusable', { folder: path, problem }, { cause });
  }
}

/** The name of a field that the interface doesn't define. */
export const fieldName = z
  .string()
  .regex(/^[A-Za-z_][\w.-]{0,63}$/, 'expected a name of letters, digits, _, . and -');

const text = z.string().max(10_000);

/** The fields of a record that the interface doesn't define. `null` removes a field. */
export const metadataSchema = z
  .record(fieldName, z.union([text, z.number(), z.boolean(), z.null(), z.array(text).max(1000)]))
  .refine((metadata) => Object.keys(metadata).length <= 100, 'expected at most 100 fields');

/** `null` removes a field. */
export type Metadata = Readonly<z.output<typeof metadataSchema>>;
