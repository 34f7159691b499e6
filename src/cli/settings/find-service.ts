import { join } from 'node:path';
import { loadEnvironment } from '../../config/environment.ts';
import { isPlainAddress } from '../../config/option-values.ts';
import { type Environment, resolveOptions } from '../../config/options.ts';
import { serviceSettings } from '../../config/service-settings.ts';
import { mediaAssetError } from '../../errors/errors.ts';
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

/**
 * Finds the service's base URL: `--service`, `MEDIA_ASSET_BASE_URL`, or the last build's.
 * `settings` are the last build's if it used the same service.
 */
export function findService({ service: flag }: ServiceFlags, { built, environment }: KnownService) {
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
  const unlessIn = <T>(variable: string, value: T) => (environment[variable] ? undefined : value);
  const accountsUrl = unlessIn('MEDIA_ASSET_ACCOUNTS_URL', settings?.accountsUrl);
  const tokenEncoding = unlessIn('MEDIA_ASSET_TOKEN_ENCODING', settings?.tokenEncoding);
  const service = {
    baseUrl,
    accountsUrl,
    clientId: unlessIn('MEDIA_ASSET_CLIENT_ID', settings?.clientId),
    tokenEncoding,
    downloads: unlessIn('MEDIA_ASSET_DOWNLOADS', settings?.downloads),
    uploadFields: unlessIn('MEDIA_ASSET_UPLOAD_FIELDS', settings?.uploadFields),
    concurrency: settings?.concurrency,
  };
  const report = { maxUnsent: settings?.maxUnsent };
  const options = resolveOptions({ service, report }, environment);
  const reached = serviceSettings(options, needs);
  const exposed = tokenEncoding === 'query' ? baseUrl : undefined;
  const address = isNamed ? (accountsUrl ?? exposed) : baseUrl;
  if (built && address !== undefined && built.seal !== sealAddresses(built, options.service)) {
    throw mediaAssetError('service-untrusted', { address });
  }
  return { reached, maxUnsent: options.report.maxUnsent, settings };
}

const oneDay = 24 * 60 * 60 * 1000;

/** Opens a client. `maxUnsent` is in ms. */
export function openService(
  flags: ServiceFlags,
  known: KnownService,
  { terminal }: { terminal: Terminal },
) {
  const { reached, maxUnsent } = reachService(flags, known);
  const service = openMediaService(reached, known.environment, (found) =>
    noteFindings([found], terminal),
  );
  return { service, settings: reached, maxUnsent: maxUnsent * oneDay };
}

/** For commands that need no site. Also throws `rules-broken` and `environment-unreadable`. */
export async function openLibrary(flags: ServiceFlags, terminal: Terminal) {
  return openService(flags, await readLastBuild(terminal), { terminal });
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
