import type { LoaderContext } from 'astro/loaders';
import { z } from 'zod';
import { siteEnvironment } from '../../config/environment.ts';
import { resolveOptions } from '../../config/options.ts';
import { isAssetId } from '../../errors/asset-id.ts';
import type { CollectionSource, FolderFiles, SearchFiles } from './list-collection-files.ts';
import { type CollectionSync, installedCollectionSync } from './sync-collection.ts';

export type { FolderFiles, SearchFiles } from './list-collection-files.ts';

const schema = z.looseObject({
  /** The asset's id: `<MediaAsset id={entry.data.id} … />`. */
  id: z.int().refine(isAssetId, 'expected an asset ID'),
  name: z.string().optional(),
  filename: z.string().optional(),
  /** The folder that lists it. */
  folderId: z.int().optional(),
});

/** A loader of Astro, whose entries have the asset's id as theirs. */
export interface MediaLoader {
  readonly name: string;
  /** The fields of a file; a collection's own schema goes before it. */
  readonly schema: typeof schema;
  load(context: LoaderContext): Promise<void>;
}

/** The files of a folder of the service as a content collection. */
export function mediaFolderLoader(options: FolderFiles): MediaLoader {
  return createLoader('media-folder-loader', { kind: 'folder', ...options });
}

/** The files that a search of the service finds as a content collection. */
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

/** For a site that uses the loaders alone: everything comes from the environment. */
async function openFromEnvironment({ config }: LoaderContext): Promise<CollectionSync> {
  const environment = siteEnvironment(config, config.vite.mode ?? 'production');
  const options = resolveOptions({}, environment);
  // No hook does this later.
  const { requireCredentials } = await import('../build/missing-credentials.ts');
  await requireCredentials(options);
  const { openCollectionSync } = await import('./sync-collection.ts');
  return openCollectionSync(options, environment);
}
