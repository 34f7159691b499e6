import { once } from 'node:events';
import { resolve } from 'node:path';
import { type Emulator, startEmulator } from '../../emulator/index.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface EmulatorFlags {
  /** On 127.0.0.1; 0 for a free one. */
  readonly port: number;
  readonly media: string;
  readonly data: string;
  readonly fields?: string;
}

/** Runs the emulator until the terminal's signal is aborted, then finishes pending requests. */
export async function emulator(
  { port, media, data, fields }: EmulatorFlags,
  { out, note, signal, directory }: Pick<Terminal, 'out' | 'note' | 'signal' | 'directory'>,
): Promise<void> {
  const started = await startEmulator({
    port,
    fields,
    media: resolve(directory, media),
    data: resolve(directory, data),
    onFault: (error) =>
      note(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  out(greeting(started));
  if (!signal.aborted) await once(signal, 'abort');
  await started.close();
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
