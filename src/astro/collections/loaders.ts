import type { LoaderContext } from 'astro/loaders';
import { z } from 'zod';
import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { FolderFiles } from './list-collection-files.ts';
import { installedCollectionSync } from './sync-collection.ts';

export type { FolderFiles } from './list-collection-files.ts';

const schema = z.looseObject({
  /** The asset's ID: `<MediaAsset id={entry.data.id} … />`. */
  id: z.int().refine(isAssetId, 'expected an asset ID'),
  name: z.string().optional(),
  filename: z.string().optional(),
  /** The ID of the folder that lists the file. */
  folderId: z.int().optional(),
});

/** A content loader for Astro. Each entry's ID is the asset's ID. */
export interface MediaLoader {
  readonly name: string;
  /** The fields of a file. A schema in the collection's config replaces it. */
  readonly schema: typeof schema;
  load(context: LoaderContext): Promise<void>;
}

/** Loads the files of a folder in the service as a content collection. */
export function mediaFolderLoader(options: FolderFiles): MediaLoader {
  return {
    name: 'media-folder-loader',
    schema,
    async load(context) {
      const sync = installedCollectionSync();
      if (!sync) throw mediaAssetError('renderer-alone', undefined);
      await sync(context, options);
    },
  };
}
