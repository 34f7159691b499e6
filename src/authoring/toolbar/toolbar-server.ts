import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, BaseIntegrationHooks } from 'astro';
import type { PeopleAssets } from '../../assets/assets.ts';
import type { MediaService } from '../../service/types.ts';
import { openLibrary, type ReportingSite, reportedPages } from './library.ts';
import { toolbarAnswers } from './toolbar-answers.ts';
import { toolbarMiddleware } from './toolbar-middleware.ts';

/** What the toolbar shows of a site. */
interface AuthoredSite extends ReportingSite {
  readonly config: ReportingSite['config'] & Pick<AstroConfig, 'srcDir'>;
  readonly images: { readonly people: PeopleAssets };
  readonly service: MediaService;
  readonly cacheDir: string;
}

type Toolbar = Parameters<BaseIntegrationHooks['astro:server:setup']>[0]['toolbar'];

/**
 * Opens the toolbar's part of the dev server. The app gets the site's base over Astro's own
 * channel.
 *
 * @returns the middleware
 */
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
