import { once } from 'node:events';
import { type Emulator, type EmulatorOptions, startEmulator } from './start-emulator.ts';

/**
 * Runs an emulator until the signal is aborted, then finishes the requests in progress. Prints its
 * URL first, then how to sign in.
 *
 * @param terminal `out` writes to stdout, `note` to stderr
 * @throws MediaAssetError like `startEmulator`
 */
export async function serveEmulator(
  options: EmulatorOptions,
  terminal: { out(text: string): void; note(text: string): void; signal: AbortSignal },
): Promise<void> {
  const onFault = (error: unknown): void => {
    terminal.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  const emulator = await startEmulator({ onFault, ...options });
  terminal.out(greeting(emulator));
  if (!terminal.signal.aborted) await once(terminal.signal, 'abort');
  await emulator.close();
}

function greeting({ url, settings, media, assets }: Emulator): string {
  return `Media Asset Service emulator: ${url}
Files: ${assets().length}, in ${media}. Open the URL to see their IDs, and where they're used.

Copy these lines to your site's .env file:

  MEDIA_ASSET_BASE_URL=${url}
  MEDIA_ASSET_CLIENT_ID=${settings.clientId}
  MEDIA_ASSET_CLIENT_SECRET=${settings.clientSecret}
  MEDIA_ASSET_USERNAME=${settings.username}
  MEDIA_ASSET_PASSWORD=${settings.password}
  MEDIA_ASSET_REPORT=always

MEDIA_ASSET_REPORT=always makes each build report its usages. Use it with the emulator only.
To sign in without a password: MEDIA_ASSET_REFRESH_TOKEN=${settings.refreshToken}`;
}
