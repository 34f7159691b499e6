import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, BaseIntegrationHooks } from 'astro';
import type { z } from 'zod';
import type { PeopleAssets } from '../../assets/assets.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { MediaService } from '../../service/types.ts';
import { type Project, placesOf } from '../source/project-places.ts';
import { type Library, openLibrary, type ReportingSite, reportedPages } from './library.ts';
import {
  assetRequest,
  assetsRequest,
  imageRequest,
  placesRequest,
  saveRequest,
} from './protocol.ts';
import { saveChange } from './save-change.ts';
import { type Answers, toolbarMiddleware } from './toolbar-middleware.ts';

interface AuthoredSite extends ReportingSite {
  readonly config: ReportingSite['config'] & Pick<AstroConfig, 'srcDir'>;
  readonly images: { readonly people: PeopleAssets };
  readonly service: MediaService;
  readonly cacheDir: string;
}

type Toolbar = Parameters<BaseIntegrationHooks['astro:server:setup']>[0]['toolbar'];

/** The middleware of the dev server. The app gets the site's base over Astro's own channel. */
export function openToolbar(site: AuthoredSite, toolbar: Toolbar) {
  const { config, images, service, cacheDir } = site;
  toolbar.on('astro-media-asset:hello', () => {
    toolbar.send('astro-media-asset:session', { base: config.base });
  });
  const root = fileURLToPath(config.root);
  const srcDir = relative(root, fileURLToPath(config.srcDir)).replaceAll('\\', '/');
  const library = openLibrary({
    service,
    cacheDir,
    names: images.people.names,
    reported: reportedPages(site),
  });
  const project = { root, srcDir };
  return toolbarMiddleware(toolbarAnswers({ images: images.people, library, project }));
}

/** The requests of the toolbar app, and what answers them. `protocol.ts` has their forms. */
export function toolbarAnswers({
  images,
  library,
  project,
}: {
  images: Pick<PeopleAssets, 'preview'>;
  library: Library;
  project: Project;
}): Answers {
  return {
    // Tells the app whether it may ask.
    'GET session.json': async () => ({}),
    'GET folders.json': () => library.folders(),
    'GET assets.json': parsed(assetsRequest, library.assets),
    'GET asset.json': parsed(assetRequest, ({ id }) => library.asset(id)),
    'GET image.webp': parsed(imageRequest, ({ id, width }) => images.preview(id, width)),
    'POST places.json': parsed(placesRequest, (request) => placesOf(request, project)),
    'POST save.json': parsed(saveRequest, (request) => saveChange(request, project)),
  };
}

function parsed<T>(schema: z.ZodType<T>, answer: (request: T) => Promise<unknown>) {
  return async (given: unknown) => {
    const { success, data } = schema.safeParse(given);
    if (!success) throw mediaAssetError('toolbar-request-invalid', { problem: 'unknown form' });
    return answer(data);
  };
}
