import { type Environment, resolveOptions, serviceSettings } from '../options.ts';
import type { MediaService } from '../service/media-service.ts';
import { openMediaService } from '../service/open-media-service.ts';
import type { BuildRules } from '../usage/build-rules.ts';

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
