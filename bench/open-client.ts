import { createMediaService, type MediaService } from '../src/service/index.ts';

/** A client like a site's: with the emulator's variables, and without a token yet. */
export function openClient(
  url: string,
  environment: Readonly<Record<string, string>>,
): MediaService {
  return createMediaService({
    baseUrl: url,
    clientId: environment.MEDIA_ASSET_CLIENT_ID ?? '',
    clientSecret: environment.MEDIA_ASSET_CLIENT_SECRET ?? '',
    credentials: {
      kind: 'password',
      username: environment.MEDIA_ASSET_USERNAME ?? '',
      password: environment.MEDIA_ASSET_PASSWORD ?? '',
    },
  });
}
