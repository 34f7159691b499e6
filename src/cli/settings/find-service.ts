import { isPlainAddress } from '../../config/option-values.ts';
import { type Environment, resolveOptions } from '../../config/options.ts';
import { type ServiceSettings, serviceSettings } from '../../config/service-settings.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { type BuildRules, sealAddresses } from '../../usage/build-rules.ts';
import { showArgument, wrong } from '../command-options.ts';

export interface ServiceFlags {
  readonly service?: string;
}

/** What names a service apart from flags. */
export interface KnownService {
  /** The variables of the process, and below them those of the `.env` files of a production build. */
  readonly environment: Environment;
  readonly built: BuildRules | undefined;
}

/**
 * The service that a command is about: `--service`, then `MEDIA_ASSET_BASE_URL`, then the last
 * build's. `settings` are the last build's if it used that service.
 *
 * @throws `command-usage` if the flag or the variable is no address
 */
export function findService(
  { service: flag }: ServiceFlags,
  { built, environment }: KnownService,
): { baseUrl: string | undefined; isNamed: boolean; settings: BuildRules['settings'] } {
  const source = flag === undefined ? 'MEDIA_ASSET_BASE_URL' : '--service';
  const named = flag ?? (environment.MEDIA_ASSET_BASE_URL || undefined);
  const baseUrl =
    named === undefined ? built?.service : parseAddress(source, named).href.replace(/\/+$/, '');
  const settings = built?.service === baseUrl ? built?.settings : undefined;
  return { baseUrl, isNamed: named !== undefined, settings };
}

/**
 * How a command reaches that service: with the environment's credentials, and otherwise as the
 * environment says, then as the last build did. Anyone who can write to a cache can write
 * `.media-asset/build.json`. So credentials follow an address that only this file names, or go into
 * URLs because only this file says so, if its seal proves that the build had the same credentials.
 *
 * @throws as `findService`; `options-invalid`, `service-not-configured`, `service-untrusted`
 */
export function reachService(
  flags: ServiceFlags,
  known: KnownService,
  {
    signIn = false,
    maxDownloadBytes,
  }: { signIn?: boolean; maxDownloadBytes?: number | undefined } = {},
): { reached: ServiceSettings; maxUnsent: number; settings: BuildRules['settings'] } {
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
    maxDownloadBytes,
  };
  const report = { maxUnsent: settings?.maxUnsent };
  const options = resolveOptions({ service, report }, environment);
  const reached = serviceSettings(options, { signIn });
  const exposed = tokenEncoding === 'query' ? baseUrl : undefined;
  const address = isNamed ? (accountsUrl ?? exposed) : baseUrl;
  if (built && address !== undefined && built.seal !== sealAddresses(built, options.service)) {
    throw mediaAssetError('service-untrusted', { address });
  }
  return { reached, maxUnsent: options.report.maxUnsent, settings };
}

/** `name` is the flag or variable that it comes from. Throws `command-usage`. */
export function parseAddress(name: string, value: string): URL {
  if (value.includes('@')) {
    wrong(`${name} holds a user name or password: leave them out of the address.`);
  }
  const url = URL.parse(value);
  if (url && /^https?:$/.test(url.protocol) && !/[?#]/.test(value)) return url;
  const shown = isPlainAddress(value) ? ` ${showArgument(value)}` : '';
  return wrong(`${name}${shown} is not an absolute http or https address without ? and #.`);
}
