import type { LoaderContext } from 'astro/loaders';
import { z } from 'zod';
import { siteEnvironment } from '../../config/environment.ts';
import { resolveOptions } from '../../config/options.ts';
import { isAssetId } from '../../errors/asset-id.ts';
import type { CollectionSource, FolderFiles, SearchFiles } from './list-collection-files.ts';
import {
  type CollectionSync,
  installedCollectionSync,
  openCollectionSync,
} from './sync-collection.ts';

export type { FolderFiles, SearchFiles } from './list-collection-files.ts';

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
  return createLoader('media-folder-loader', { kind: 'folder', ...options });
}

/** Loads the files that a search in the service finds as a content collection. */
export function mediaSearchLoader(options: SearchFiles): MediaLoader {
  return createLoader('media-search-loader', { kind: 'search', ...options });
}

function createLoader(name: string, source: CollectionSource): MediaLoader {
  return {
    name,
    schema,
    async load(context) {
      const sync = installedCollectionSync() ?? (await openFromEnvironment(context));
      await sync(context, source);
    },
  };
}

/** For a site that uses only the loaders. Everything comes from the environment. */
async function openFromEnvironment({ config }: LoaderContext): Promise<CollectionSync> {
  const environment = siteEnvironment(config, config.vite.mode ?? 'production');
  const options = resolveOptions({}, environment);
  // Without the integration, no later hook checks the credentials.
  const { requireCredentials } = await import('../build/missing-credentials.ts');
  await requireCredentials(options);
  return openCollectionSync(options, environment);
}
