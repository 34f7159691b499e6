import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import { isMissing, sidecarExtension } from './walk-media-folder.ts';

/**
 * Reads the fields for a media file (absolute path) from the JSON file next to it: `quay.jpg.json` for
 * `quay.jpg`. Reads it again when it changes.
 */
export function createSidecarReader(): (file: string) => Metadata {
  const known = new Map<string, { version: string; metadata: Metadata }>();
  return (file) => {
    const path = `${file}${sidecarExtension}`;
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
    if (!stat?.isFile()) return {};
    const version = `${stat.mtimeNs} ${stat.size}`;
    const last = known.get(path);
    if (last?.version === version) return last.metadata;
    const metadata = parseSidecar(path);
    known.set(path, { version, metadata });
    return metadata;
  };
}

function parseSidecar(path: string): Metadata {
  try {
    return metadataSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    if (isMissing(cause)) return {};
    const problem = 'it isn\'t an object of fields, such as { "alttext": "…" }';
    throw mediaAssetError('emulator-media-unusable', { folder: path, problem }, { cause });
  }
}

/** A field that the interface doesn't define. */
const fieldName = z
  .string()
  .regex(/^[A-Za-z_][\w.-]{0,63}$/, 'expected a name of letters, digits, _, . and -');

const text = z.string().max(10_000);

/** The fields of a record that the interface doesn't define. `null` removes a field. */
export const metadataSchema = z
  .record(fieldName, z.union([text, z.number(), z.boolean(), z.null(), z.array(text).max(1000)]))
  .refine((metadata) => Object.keys(metadata).length <= 100, 'expected at most 100 fields');

/** `null` removes a field. */
export type Metadata = Readonly<z.output<typeof metadataSchema>>;
