import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { readFailure } from '../../assets/formats/markers.ts';
import {
  formatRenditionPath,
  parseRenditionUrl,
  renditionFolder,
} from '../../assets/formats/rendition-url.ts';
import type { RenditionOnPage } from '../../assets/renditions/emit-renditions.ts';
import { type CropReview, reviewsFile } from '../../assets/renditions/review-crops.ts';
import { writeCachedJson } from '../../assets/store/cached-json.ts';
import { hasCredentials } from '../../config/service-settings.ts';
import { finding, MediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { filesBelow } from '../../scan/read/site-files.ts';
import { readOutput } from '../../scan/read-output.ts';
import { removeFile } from '../../storage/retry-locked-file.ts';
import { logFinding, logFindings } from '../log-finding.ts';
import { logProgress } from '../log-progress.ts';
import { buildRulesOf } from './build-mark.ts';
import type { SiteBuild } from './build-notes.ts';
import { writeBuiltFile } from './built-files.ts';
import { languagesOfFiles } from './file-languages.ts';
import { fillCredits } from './fill-credits.ts';
import { removeImageSitemap } from './image-sitemap.ts';
import { checkUnavailable } from './unavailable-assets.ts';

const filesAtOnce = 16;

/**
 * Publishes all renditions that the built pages name, and those that pages with server islands
 * requested. Those of an earlier build, which `emptyOutDir: false` keeps, may be forbidden by now: they
 * are deleted first.
 */
export async function publishRenditions(site: SiteBuild, dir: URL): Promise<void> {
  const { options, service, images, checks, markdown, unavailable, requested, logger } = site;
  const folder = fileURLToPath(dir);
  const rules = { ...buildRulesOf(site), service: service.baseUrl };
  await removeRenditions(join(folder, site.locations.toFile(renditionFolder)));
  await removeImageSitemap(folder);
  try {
    await checks.done();
    const files = await readOutput(folder, rules, {
      judges: options.record !== undefined || options.rights.read !== undefined,
    });
    const fetched = options.delivery === 'static' ? files.flatMap((file) => file.fetched) : [];
    const unread = files.flatMap((file) => file.unread);
    logFindings(logger, [
      ...fetched.map((one) => finding('warning', 'service-address-shown', one)),
      ...unread.map((one) => finding('warning', 'media-address-unread', one)),
    ]);
    markdown.throwIfFailed();
    const marked = files.flatMap(({ page, markers }) => markers.map((one) => ({ ...one, page })));
    // No other marker has such a value.
    const failures = marked.flatMap(({ value }) => readFailure(value));
    const distinct = new Map(failures.map((failure) => [JSON.stringify(failure), failure]));
    const [failure, ...others] = distinct.values();
    logFindings(logger, others);
    if (failure) throw new MediaAssetError(failure.code, failure);
    // Without credentials, assets that aren't cached are marked too.
    const refused = hasCredentials(options) ? marked : [];
    for (const { id, page } of refused) if (id !== undefined) unavailable.add({ id, page });
    const deferred = files.flatMap(({ page, isDeferred }) => (isDeferred ? page : []));
    site.unscanned.islands = deferred;
    await fillCredits(site, { dir: folder, rules, files });
    // The props and slots of server islands are encrypted in the HTML.
    const renditions = [...files.flatMap((file) => file.renditions), ...requested.of(deferred)];
    const places = new Map(renditions.map((one) => [formatRenditionPath(one.address), one.page]));
    const findings = await images.publisher.emit({
      addresses: renditions,
      assets: [...files.flatMap((file) => file.assets), ...requested.of(deferred)],
      languagesOf: languagesOfFiles(site, files),
      async write(path, content) {
        await writeBuiltFile(join(folder, site.locations.toFile(path)), content);
        site.published.set(path, places.get(path) ?? '');
      },
      onProgress: logProgress(logger, 'images'),
      onRefused(error, id, pages) {
        for (const page of pages) unavailable.add({ id, page }, error);
      },
    });
    logFindings(logger, findings);
    const isComplete = unavailable.toErrors().length === 0;
    // Astro has cached these pages without the asset, which may be back in the next build.
    if (!isComplete) images.publisher.renewVersions();
    checkUnavailable(site);
    if (isComplete) await markdown.remember();
    await checkCrops(site, renditions);
  } finally {
    await images.publisher.save();
  }
}

/** Warns of crops whose originals have changed, or fails the build (`changed`). */
async function checkCrops(site: SiteBuild, addresses: readonly RenditionOnPage[]): Promise<void> {
  const { options, images, cacheDir, logger } = site;
  if (!hasCredentials(options)) return;
  const reviews = await images.publisher.reviewCrops(addresses);
  await writeCachedJson(join(cacheDir, reviewsFile), reviews);
  const isError = ({ old }: CropReview) => options.changed === 'fail' || old === 'lost';
  const first = reviews.find(isError);
  const findings = reviews.flatMap((one) => {
    return one === first ? [] : finding(isError(one) ? 'error' : 'warning', 'crop-review', one);
  });
  logFindings(logger, findings);
  if (first) throw mediaAssetError('crop-review', first);
}

/** Deletes the files with our names: pages of the site can be in the same folder. */
async function removeRenditions(dir: string): Promise<void> {
  const files = existsSync(dir) ? filesBelow(dir) : [];
  const own = files.filter((file) => parseRenditionUrl(`${renditionFolder}/${file}`));
  await pLimit(filesAtOnce).map(own, (file) => removeFile(join(dir, file)));
}

/** The last checks of a build, also for content if no page was prerendered. */
export async function finishRenditions(site: SiteBuild): Promise<void> {
  await site.checks.done();
  site.markdown.throwIfFailed();
  checkUnavailable(site);
  await site.images.publisher.tidy();
  const places = site.markdown.unpublished(site.published);
  const { routes, islands } = site.unscanned;
  if (places.length === 0 || routes.length + islands.length === 0) return;
  logFinding(site.logger, finding('warning', 'markdown-on-demand', { places, routes, islands }));
}
