/** One of several processes that share a token store. Makes a call. Prints `done` or the error. */
import { openMediaService } from '../../../src/service/open-media-service.ts';

const {
  service = '',
  location,
  key,
} = JSON.parse(process.argv[2] ?? '{}') as Record<string, string | undefined>;
const settings = {
  baseUrl: service,
  accountsUrl: undefined,
  authUrl: undefined,
  clientId: 'emulator',
  clientSecret: 'emulator-secret',
  credentials: { kind: 'refresh-token', refreshToken: 'emulator-refresh-token' },
  tokens: { location, key },
  tokenEncoding: 'form',
  tokenPath: '/1/oauth2/token',
  concurrency: 2,
  maxDownloadBytes: 1000,
  downloadTimeLimit: 1_800_000,
  downloads: 'bytes',
  uploadFields: { filename: 'filename', size: 'size', folder: 'folder' },
} as const;
try {
  await openMediaService(settings, process.env, () => {}).folders.tree();
  process.stdout.write('done');
} catch (error) {
  process.stdout.write(String(error));
}
