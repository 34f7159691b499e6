import { type Environment, resolveOptions } from '../../config/options.ts';
import { serviceSettings } from '../../config/service-settings.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { openMediaService } from '../../service/open-media-service.ts';
import type { MediaService } from '../../service/types.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { parseAddress, readLastBuild } from './site-settings.ts';

const oneDay = 24 * 60 * 60 * 1000;

/**
 * A client of the service at `baseUrl`: as the build reaches it, with the credentials of the
 * environment. `maxUnsent` in milliseconds, as a run takes it.
 *
 * @throws `options-invalid`, `service-not-configured`, `url-insecure`
 */
export function openService(
  baseUrl: string,
  {
    rules,
    environment,
    maxDownloadBytes,
  }: {
    rules: Pick<BuildRules, 'settings'>;
    environment: Environment;
    maxDownloadBytes?: number | undefined;
  },
): { service: MediaService; maxUnsent: number } {
  const { accountsUrl, tokenEncoding, downloads, concurrency, maxUnsent } = rules.settings ?? {};
  // The client id belongs to the secret, which only the environment has.
  const clientId = environment.MEDIA_ASSET_CLIENT_ID || rules.settings?.clientId;
  const reached = { accountsUrl, clientId, tokenEncoding, downloads, concurrency };
  const access = { baseUrl, ...reached, maxDownloadBytes };
  const options = resolveOptions({ service: access, report: { maxUnsent } }, environment);
  const service = openMediaService(serviceSettings(options), environment);
  return { service, maxUnsent: options.report.maxUnsent * oneDay };
}

export interface LibraryFlags {
  readonly service?: string;
  readonly json?: boolean;
}

/**
 * A client for commands that need no site. The service is the one that is named, then that of the
 * last build here, then that of the environment, with the credentials of the environment. `settings`
 * are those of the last build, where that was for the same service.
 *
 * @throws `command-usage` where `--service` is no address, `rules-broken`, and as `openService` does
 */
export async function openLibrary(
  flags: Pick<LibraryFlags, 'service'>,
  terminal: Pick<Terminal, 'directory' | 'environment'>,
  { maxDownloadBytes }: { maxDownloadBytes?: number | undefined } = {},
): Promise<{ service: MediaService; settings: BuildRules['settings'] }> {
  const { built, environment } = await readLastBuild(terminal);
  const named = flags.service ?? built?.service ?? environment.MEDIA_ASSET_BASE_URL;
  if (named === undefined || (named === '' && flags.service === undefined)) {
    const missing = ['--service (MEDIA_ASSET_BASE_URL)'];
    throw mediaAssetError('service-not-configured', { missing });
  }
  const from = flags.service === undefined ? 'MEDIA_ASSET_BASE_URL' : '--service';
  const baseUrl = parseAddress(from, named).href.replace(/\/+$/, '');
  const settings = built?.service === baseUrl ? built.settings : undefined;
  const opened = { rules: { settings }, environment, maxDownloadBytes };
  return { service: openService(baseUrl, opened).service, settings };
}
