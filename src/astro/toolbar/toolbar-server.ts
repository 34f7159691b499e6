import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BaseIntegrationHooks } from 'astro';
import { cacheFolder } from '../build/rendition-locations.ts';
import type { Site } from '../open-site.ts';
import { openLibrary, reportedPages } from './library.ts';
import { toolbarAnswers } from './toolbar-answers.ts';
import { toolbarMiddleware } from './toolbar-middleware.ts';

type Toolbar = Parameters<BaseIntegrationHooks['astro:server:setup']>[0]['toolbar'];

/**
 * Opens the toolbar's part of the dev server. The app gets the site's base over Astro's own
 * channel.
 *
 * @returns the middleware
 */
export function openToolbar(site: Site, toolbar: Toolbar) {
  const { config, images, service } = site;
  toolbar.on('astro-media-asset:hello', () => {
    toolbar.send('astro-media-asset:session', { base: config.base });
  });
  const root = fileURLToPath(config.root);
  const srcDir = relative(root, fileURLToPath(config.srcDir)).replaceAll('\\', '/');
  const library = openLibrary({
    service,
    cacheDir: cacheFolder(config),
    names: images.people.names,
    reported: reportedPages(site),
  });
  const project = { root, srcDir };
  return toolbarMiddleware(toolbarAnswers({ images: images.people, library, project }));
}
