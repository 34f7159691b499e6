import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegrationLogger } from 'astro';
import { fileDigest, parseRenditionUrl } from '../../assets/formats/rendition-url.ts';
import { finding, type MediaAssetError } from '../../errors/errors.ts';
import { pageUrl } from '../../scan/page-url.ts';
import { logFinding } from '../log-finding.ts';
import { logProgress } from '../progress.ts';
import type { Session } from '../session.ts';
import { judgeRefusals } from './judge-build.ts';
import { type NamedInOutput, readOutput } from './read-output.ts';
import { writeOutput } from './write-output.ts';

/**
 * Puts every rendition that the built pages name into the output, and what pages with server islands
 * have asked for.
 *
 * @param dir the output folder, as Astro's hook gives it
 * @returns The pages with server islands, which nobody can scan.
 * @throws `asset-unknown` or `asset-withdrawn`, naming the pages; `rendition-lost`; `file-unwritable`
 */
export async function publishRenditions(
  session: Session,
  dir: URL,
  logger: AstroIntegrationLogger,
): Promise<readonly string[]> {
  const { images, options } = session;
  const folder = fileURLToPath(dir);
  try {
    await session.prepared();
    const named = await readOutput({
      dir: folder,
      baseUrl: session.service.baseUrl,
      toPage: (file) => pageName(session, file),
    });
    if (options.delivery === 'static') {
      const shown = named.assets.filter(({ isData }) => !isData);
      const shownOnce = new Map(shown.map((one) => [`${one.id} ${one.page}`, one]));
      for (const one of shownOnce.values()) {
        logFinding(logger, finding('warning', 'service-address-shown', one.page, one));
      }
    }
    for (const left of named.unread) {
      logFinding(logger, finding('warning', 'media-address-unread', left.page, left));
    }
    // Their props and slots are encrypted in the page.
    const handedToIslands = session.asked.renditionsOf(named.deferred);
    const renditions = [...named.renditions, ...handedToIslands];
    await publishNamed(session, { ...named, renditions }, { folder, logger });
    if (judgeRefusals(session, logger)) await session.markdown.remember();
    return named.deferred;
  } finally {
    await images.save();
  }
}

/**
 * Writes the renditions that something names. Refused assets are noted.
 *
 * @throws `rendition-lost`; `file-unwritable`
 */
async function publishNamed(
  session: Session,
  named: Pick<NamedInOutput, 'renditions' | 'refused' | 'failures' | 'assets'>,
  { folder, logger }: { folder: string; logger: AstroIntegrationLogger },
): Promise<void> {
  const { images, locations, refusals, files, published } = session;
  throwFailures(session, named.failures, logger);
  for (const { id, page } of named.refused) refusals.add(id, page);
  const { findings } = await images.emit({
    addresses: named.renditions,
    assets: named.assets,
    async write(path, content) {
      const file = join(folder, locations.toFile(path));
      await writeOutput(file, content);
      published.add(path);
      if (parseRenditionUrl(path)?.digest === fileDigest) files.set(path, (await stat(file)).size);
    },
    onProgress: logProgress(logger, 'pictures'),
    onRefused(error, id, pages) {
      for (const page of pages) refusals.add(id, page, error);
    },
  });
  for (const found of findings) logFinding(logger, found);
  // Astro has cached these pages without the asset, which may be back at the next build.
  if (refusals.toError()) images.renewVersions();
}

/** Throws the first failure of Markdown; the others are said before. */
function throwFailures(
  { markdown }: Session,
  failures: readonly MediaAssetError[],
  logger: AstroIntegrationLogger,
): void {
  markdown.throwIfFailed();
  const distinct = new Map(failures.map((failure) => [failure.message, failure]));
  const [first, ...others] = distinct.values();
  for (const { code, message, hint } of others) {
    logFinding(logger, { code, severity: 'error', place: '', message, hint });
  }
  if (first) throw first;
}

/** A page's path as people see it in the address bar; any other file by its own path. */
function pageName({ config }: Session, file: string): string {
  if (!file.endsWith('.html')) return file;
  const rules = {
    site: config.site ?? 'http://localhost',
    base: config.base,
    format: config.build.format,
    trailingSlash: config.trailingSlash,
  };
  return new URL(pageUrl(rules, file)).pathname;
}
