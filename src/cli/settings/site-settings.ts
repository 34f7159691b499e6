import { resolve } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { basePath } from '../../scan/page-url.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { showArgument, wrong } from '../command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  findService,
  type KnownService,
  parseAddress,
  readLastBuild,
  type ServiceFlags,
} from './find-service.ts';

export interface SiteFlags extends ServiceFlags {
  readonly site?: string;
  readonly base?: string;
  readonly format?: BuildRules['format'];
  readonly trailingSlash?: BuildRules['trailingSlash'];
  readonly exclude?: string[];
  readonly project?: string;
  readonly contact?: string;
  readonly description?: string;
  readonly allowRemovals?: boolean;
}

export async function readSiteSettings(
  flags: SiteFlags,
  terminal: Pick<Terminal, 'directory' | 'environment'>,
): Promise<KnownService & { readonly rules: BuildRules }> {
  const known = await readLastBuild(terminal);
  return { rules: rulesOfSite(flags, known), ...known };
}

/** The cache folder (absolute): the last build's, or the default without Astro's `cacheDir`. */
export function cacheFolder(
  { directory }: Pick<Terminal, 'directory'>,
  { built }: Pick<KnownService, 'built'>,
): string {
  return resolve(directory, built?.cache ?? 'node_modules/.astro/media-asset');
}

/**
 * Merges flags, the last build's rules for the same site, and the environment, so that a command
 * reports like the build. The service comes from `findService`. Pages that Astro didn't build only
 * need flags.
 */
export function rulesOfSite(flags: SiteFlags, known: KnownService): BuildRules {
  const { built, environment } = known;
  const site = flags.site ?? built?.site;
  if (!site) throw mediaAssetError('rules-missing', undefined);
  const { host, pathname } =
    flags.site === undefined ? new URL(site) : parseAddress('--site', site);
  // Don't use another site's base, project and contact.
  const same = built && new URL(built.site).host === host ? built : undefined;
  if (flags.base !== undefined) assertBase(flags.base);
  const base = flags.base ?? same?.base ?? '/';
  if (site !== built?.site && pathname !== '/' && basePath(pathname) !== basePath(base)) {
    const path = showArgument(basePath(pathname));
    wrong(`--site ${showArgument(site)} has a path, which is ignored. Pass --base ${path} too.`);
  }
  const { format, trailingSlash, exclude, allowRemovals } = flags;
  const hasOwnPages = flags.base ?? format ?? trailingSlash ?? exclude ?? allowRemovals;
  const { MEDIA_ASSET_PROJECT, MEDIA_ASSET_CONTACT } = environment;
  const { baseUrl, settings } = findService(flags, known);
  const project = flags.project ?? same?.project ?? (MEDIA_ASSET_PROJECT || host);
  return {
    ...same,
    version: 1,
    site,
    base,
    format: format ?? same?.format ?? 'directory',
    trailingSlash: trailingSlash ?? same?.trailingSlash ?? 'ignore',
    settings,
    exclude: exclude ?? same?.exclude ?? [],
    service: baseUrl,
    project,
    contact: flags.contact ?? same?.contact ?? (MEDIA_ASSET_CONTACT || project),
    description: flags.description ?? same?.description ?? '',
    // Builds of earlier versions have no stamp, so no folder is known to be theirs.
    stamp: same && (same.stamp ?? ''),
    // Other rules give other URLs, and `--allow-removals` approves missing pages.
    pages: hasOwnPages ? undefined : same?.pages,
  };
}

/**
 * Refuses a base that no page can have. Git Bash on Windows turns `/docs` into
 * `C:/Program Files/Git/docs`.
 */
function assertBase(base: string): void {
  const isPath = !/^[a-z][a-z\d+.-]*:|[\\?#]/i.test(base);
  if (isPath && !base.split('/').some((part) => part === '.' || part === '..')) return;
  wrong(`--base ${showArgument(base)} isn't a path of the site, such as docs or /docs.`);
}
