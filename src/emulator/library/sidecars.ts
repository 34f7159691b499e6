import { readFileSync, statSync } from 'node:fs';
import { mediaAssetError } from '../../errors/errors.ts';
import { type Metadata, metadataSchema } from './metadata-schema.ts';
import { isMissing, sidecarExtension } from './walk-media-folder.ts';

/** Fields of assets in JSON files next to the media files: `quay.jpg.json` for `quay.jpg`. */
export interface Sidecars {
  /** The fields for a media file (absolute path), read again when its sidecar changes. */
  read(file: string): Metadata;
}

export function createSidecars(): Sidecars {
  const known = new Map<string, { version: string; metadata: Metadata }>();
  return {
    read(file) {
      const path = `${file}${sidecarExtension}`;
      const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
      if (!stat?.isFile()) return {};
      const version = `${stat.mtimeNs} ${stat.size}`;
      const last = known.get(path);
      if (last?.version === version) return last.metadata;
      const metadata = parseSidecar(path);
      known.set(path, { version, metadata });
      return metadata;
    },
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
