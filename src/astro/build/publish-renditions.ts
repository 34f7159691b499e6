import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegrationLogger } from 'astro';
import pLimit from 'p-limit';
import {
  fileDigest,
  parseRenditionUrl,
  renditionFolder,
} from '../../assets/formats/rendition-url.ts';
import { hasCredentials } from '../../config/service-settings.ts';
import { finding, MediaAssetError } from '../../errors/errors.ts';
import { pageUrls } from '../../scan/page-url.ts';
import { filesBelow } from '../../scan/read/site-files.ts';
import { removeFile } from '../../storage/retry-locked-file.ts';
import { logFinding, logFindings } from '../log-finding.ts';
import { logProgress } from '../log-progress.ts';
import type { SiteBuild } from './build-notes.ts';
import { readBuiltFiles, writeBuiltFile } from './built-files.ts';
import { fillCredits } from './fill-credits.ts';
import { checkUnavailable } from './unavailable-assets.ts';

const filesAtOnce = 16;

/**
 * Publishes all renditions that the built pages name, and those that pages with server islands
 * requested. Those of an earlier build, which `emptyOutDir: false` keeps, may be forbidden by now: they
 * are deleted first.
 */
export async function publishRenditions(
  site: SiteBuild,
  dir: URL,
  logger: AstroIntegrationLogger,
): Promise<void> {
  const { config, options, service, images, checks, markdown, unavailable, requested } = site;
  const folder = fileURLToPath(dir);
  const { site: address = 'http://localhost', base, trailingSlash } = config;
  const urlOf = pageUrls({ site: address, base, format: config.build.format, trailingSlash });
  await removeRenditions(join(folder, site.locations.toFile(renditionFolder)));
  try {
    await checks.done();
    const named = await readBuiltFiles(folder, {
      baseUrl: service.baseUrl,
      // A file that isn't a page has no URL path.
      toPage: (file) => (file.endsWith('.html') ? new URL(urlOf(file)).pathname : file),
    });
    const shown = options.delivery === 'static' ? named.assets.filter(({ isData }) => !isData) : [];
    const shownOnce = new Map(shown.map((one) => [`${one.id} ${one.page}`, one]));
    const addresses = [
      ...Array.from(shownOnce.values(), (one) => finding('warning', 'service-address-shown', one)),
      ...named.unread.map((one) => finding('warning', 'media-address-unread', one)),
    ];
    logFindings(logger, addresses);
    markdown.throwIfFailed();
    const distinct = new Map(named.failures.map((failure) => [JSON.stringify(failure), failure]));
    const [failure, ...others] = distinct.values();
    logFindings(logger, others);
    if (failure) throw new MediaAssetError(failure.code, failure);
    // Without credentials, assets that aren't cached are marked too.
    const refused = hasCredentials(options) ? named.refused : [];
    for (const { id, page } of refused) unavailable.add({ id, page });
    site.unscanned.islands = named.deferred;
    // The props and slots of server islands are encrypted in the HTML.
    const renditions = [
      ...named.renditions,
      ...requested.of(named.deferred),
      ...(await fillCredits(site, folder, named.credits)),
    ];
    const emitted = await images.publisher.emit({
      addresses: renditions,
      assets: named.assets,
      asked: requested.locales,
      async write(path, content) {
        const file = join(folder, site.locations.toFile(path));
        await writeBuiltFile(file, content);
        site.published.add(path);
        const isFile = parseRenditionUrl(path)?.digest === fileDigest;
        if (isFile) site.files.set(path, (await stat(file)).size);
      },
      onProgress: logProgress(logger, 'images'),
      onRefused(error, id, pages) {
        for (const page of pages) unavailable.add({ id, page }, error);
      },
    });
    site.rights.push(...emitted.rights);
    logFindings(logger, emitted.findings);
    const isComplete = unavailable.toErrors().length === 0;
    // Astro has cached these pages without the asset, which may be back in the next build.
    if (!isComplete) images.publisher.renewVersions();
    checkUnavailable(site, logger);
    if (isComplete) await markdown.remember();
  } finally {
    await images.publisher.save();
  }
}

/** Deletes the files with our names: pages of the site can be in the same folder. */
async function removeRenditions(dir: string): Promise<void> {
  const files = existsSync(dir) ? filesBelow(dir) : [];
  const own = files.filter((file) => parseRenditionUrl(`${renditionFolder}/${file}`));
  await pLimit(filesAtOnce).map(own, (file) => removeFile(join(dir, file)));
}

/**
 * The last checks of a build. If no page was prerendered, `publishRenditions` hasn't run, and content
 * can have requested assets.
 */
export async function finishRenditions(
  site: SiteBuild,
  logger: AstroIntegrationLogger,
): Promise<void> {
  await site.checks.done();
  site.markdown.throwIfFailed();
  checkUnavailable(site, logger);
  await site.images.publisher.tidy();
  const places = site.markdown.unpublished(site.published);
  const { routes, islands } = site.unscanned;
  if (places.length === 0 || routes.length + islands.length === 0) return;
  logFinding(logger, finding('warning', 'markdown-on-demand', { places, routes, islands }));
}
