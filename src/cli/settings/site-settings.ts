import { join, resolve } from 'node:path';
import type * as z from 'zod';
import { loadEnvironment } from '../../config/environment.ts';
import { isPlainAddress } from '../../config/option-values.ts';
import { type Environment, resolveOptions } from '../../config/options.ts';
import { keptService, serviceSettings, variableOf } from '../../config/service-settings.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { basePath } from '../../scan/page-url.ts';
import { openMediaService } from '../../service/open-media-service.ts';
import { type BuildRules, readBuildRules, sealAddresses } from '../../usage/build-rules.ts';
import { showArgument, wrong } from '../command-options.ts';
import { noteFindings, type Terminal } from '../terminal/terminal.ts';

export interface ServiceFlags {
  readonly service?: string;
  readonly json?: boolean;
}

/** The sources of a service other than flags. */
export interface KnownService {
  /** Variables of the process, then those of a production build's `.env` files. */
  readonly environment: Environment;
  readonly built: BuildRules | undefined;
}

export async function readLastBuild(
  terminal: Pick<Terminal, 'directory' | 'environment'>,
): Promise<KnownService> {
  const { directory } = terminal;
  const environment = loadEnvironment(directory, 'production', terminal.environment);
  return { environment, built: await readBuildRules(join(directory, '.media-asset/build.json')) };
}

/** Finds the base URL by flag, variable or the last build, and its `settings` of that service. */
function findService({ service: flag }: ServiceFlags, { built, environment }: KnownService) {
  const source = flag === undefined ? 'MEDIA_ASSET_BASE_URL' : '--service';
  const named = flag ?? (environment.MEDIA_ASSET_BASE_URL || undefined);
  const baseUrl =
    named === undefined ? built?.service : parseAddress(source, named).href.replace(/\/+$/, '');
  const settings = built?.service === baseUrl ? built?.settings : undefined;
  return { baseUrl, isNamed: named !== undefined, settings };
}

/**
 * Resolves the service's settings: credentials from the environment, everything else from the
 * environment or the last build.
 *
 * Anyone who can write to a cache can change `.media-asset/build.json`. If only this file names a
 * URL that gets credentials, or asks to send them in URLs, its seal must prove that the build had
 * them too.
 *
 * @param needs.signIn for commands that sign in, and ignore other credentials
 */
export function reachService(
  flags: ServiceFlags,
  known: KnownService,
  needs: { readonly signIn?: boolean } = {},
) {
  const { built, environment } = known;
  const { baseUrl, isNamed, settings } = findService(flags, known);
  const kept = unsetSettings(settings, environment);
  const options = resolveOptions({ service: { ...kept, baseUrl } }, environment);
  const reached = serviceSettings(options, needs);
  const exposed = kept.tokenEncoding === 'query' ? baseUrl : undefined;
  const address = isNamed ? (kept.accountsUrl ?? exposed) : baseUrl;
  if (built && address !== undefined && built.seal !== sealAddresses(built, options.service)) {
    throw mediaAssetError('service-untrusted', { address });
  }
  return { reached, settings };
}

/** The last build's settings of its service that no variable sets. */
export function unsetSettings(
  settings: BuildRules['settings'],
  environment: Environment,
): z.output<typeof keptService> {
  const entries = Object.entries(keptService.parse(settings ?? {}));
  return Object.fromEntries(entries.filter(([name]) => !environment[variableOf(name)]));
}

/** Opens the client of a command. Also throws `rules-broken` and `environment-unreadable`. */
export async function openService(flags: ServiceFlags, terminal: Terminal, known?: KnownService) {
  const { environment, ...others } = known ?? (await readLastBuild(terminal));
  const { reached } = reachService(flags, { environment, ...others });
  return openMediaService(reached, environment, (found) => noteFindings([found], terminal));
}

/** Parses a URL from the flag or variable `name`. Throws `command-usage`. */
export function parseAddress(name: string, value: string): URL {
  if (value.includes('@')) {
    wrong(`${name} contains a user name or password. Leave them out of the URL.`);
  }
  const url = URL.parse(value);
  if (url && /^https?:$/.test(url.protocol) && !/[?#]/.test(value)) return url;
  const shown = isPlainAddress(value) ? ` ${showArgument(value)}` : '';
  return wrong(`${name}${shown} isn't an absolute http or https URL without ? and #.`);
}

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

/** The folder of built pages: the named one, or that of the last build. */
export function builtFolder(
  named: string | undefined,
  { output }: Pick<BuildRules, 'output'>,
  command: string,
): string {
  const unknown = `The folder of built pages is unknown. Name it: media-asset ${command} dist.`;
  return named ?? output ?? wrong(unknown);
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
function rulesOfSite(flags: SiteFlags, known: KnownService): BuildRules {
  const { built, environment } = known;
  const site = flags.site ?? built?.site;
  if (!site) throw mediaAssetError('rules-missing', undefined);
  const { host, pathname } =
    flags.site === undefined ? new URL(site) : parseAddress('--site', site);
  // Don't use another site's base, project and contact.
  const same = built && new URL(built.site).host === host ? built : undefined;
  // Git Bash on Windows turns `/docs` into `C:/Program Files/Git/docs`.
  if (flags.base && /^[a-z][a-z\d+.-]*:|[\\?#]|(?:^|\/)\.\.?(?:\/|$)/i.test(flags.base)) {
    wrong(`--base ${showArgument(flags.base)} isn't a path of the site, such as docs or /docs.`);
  }
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
    // A site that has moved keeps its ledger in the same Redis.
    ...(built?.store === 'redis' && { store: built.store }),
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
