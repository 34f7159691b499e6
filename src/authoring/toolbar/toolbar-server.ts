import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, BaseIntegrationHooks } from 'astro';
import type { PeopleAssets } from '../../assets/people-assets.ts';
import type { SiteLanguages } from '../../config/languages.ts';
import type { ResolvedOptions } from '../../config/options.ts';
import type { MediaService } from '../../service/types.ts';
import { openLibrary } from './library.ts';
import { toolbarAnswers } from './toolbar-answers.ts';
import { toolbarMiddleware } from './toolbar-middleware.ts';
import { createUpload } from './upload.ts';

type Toolbar = Parameters<BaseIntegrationHooks['astro:server:setup']>[0]['toolbar'];

export function openToolbar(
  site: {
    readonly config: Pick<AstroConfig, 'root' | 'srcDir'>;
    readonly images: { readonly people: PeopleAssets };
    readonly languages: SiteLanguages;
    readonly options: Pick<ResolvedOptions, 'service' | 'presets'>;
    readonly service: MediaService;
  },
  toolbar: Toolbar,
) {
  const { config, images, languages, options, service } = site;
  const root = fileURLToPath(config.root);
  const srcDir = relative(root, fileURLToPath(config.srcDir)).replaceAll('\\', '/');
  const library = openLibrary({
    ...{ service, images: images.people, languages },
    concurrency: options.service.concurrency,
  });
  const upload = createUpload({
    ...{ service, library, listedRecords: images.people.listedRecords },
    limit: options.service.maxDownloadBytes,
    onProgress: (part) => toolbar.send('astro-media-asset:progress', part),
  });
  const project = { root, srcDir };
  return toolbarMiddleware({
    ...toolbarAnswers(images.people, { library, upload, project }),
    // Also tells the app whether it may ask.
    'GET session.json': async () => ({ presets: options.presets }),
  });
}
