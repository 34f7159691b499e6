import { mediaAssetError } from '../errors.ts';
import type { Asset } from './asset.ts';
import { createControls } from './controls.ts';
import { createApp, createOtherApp } from './create-app.ts';
import { createState } from './create-state.ts';
import type { Emulator, EmulatorAsset, EmulatorOptions } from './emulator.ts';
import { listen } from './listen.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { findMediaFolder } from './media-library.ts';
import { openDatabase } from './open-database.ts';
import { createOwnFolders } from './own-folders.ts';
import { dropParts } from './receive-upload.ts';
import { type EmulatorSettings, resolveSettings } from './settings.ts';

/** How long `close` waits for requests in flight, in milliseconds. */
const patience = 10_000;

/**
 * Starts a Media Asset Service on 127.0.0.1, over a media folder and a data folder. It answers in
 * this process: wait for what uses it (`exec`, not `execSync`).
 *
 * @example
 * const emulator = await startEmulator({ media: 'test/media' });
 * await promisify(exec)('npx astro build', {
 *   env: { ...process.env, ...emulator.environment, MEDIA_ASSET_REPORT: 'always' },
 * });
 * emulator.usages(4711);
 * await emulator.close();
 *
 * @throws MediaAssetError `emulator-options-invalid`, `emulator-media-missing`,
 * `emulator-media-unreadable`, `emulator-data-busy`, `emulator-data-unusable` or
 * `emulator-port-busy`.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const {
    media,
    data: givenData,
    port = 0,
    faults: firstFaults = [],
    clock = Date.now,
    onFault = writeFault,
    ...input
  } = options;
  const current = { settings: resolveSettings(input) };
  const settings = (): EmulatorSettings => current.settings;
  requirePort(port);
  const opened: (() => unknown)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.reverse()) await close();
  };
  try {
    const own = createOwnFolders();
    opened.push(own.delete);
    const data = givenData ?? own.make('data');
    const folder = findMediaFolder(media ?? own.make('media'), data);
    opened.push(lockDataFolder(data));
    const database = openDatabase(data);
    opened.push(() => database.close());
    await dropParts(data);
    let other = '';
    const state = createState({ database, folder, data, settings, clock, otherHost: () => other });
    const controls = createControls(state, current);
    controls.setFaults(firstFaults);
    const parts = { state, onFault, clock };
    const second = await listen(createOtherApp(parts), 0);
    opened.push(() => second.close(patience));
    other = `http://127.0.0.1:${second.port}`;
    const first = await listen(createApp({ ...parts, controls }), port);
    opened.push(() => first.close(patience));
    let closed: Promise<void> | undefined;
    const url = `http://127.0.0.1:${first.port}`;
    return {
      ...controls,
      url,
      environment: environmentOf(url, settings()),
      media: folder,
      otherUrl: other,
      port: first.port,
      get settings() {
        return settings();
      },
      assets: () =>
        state.library
          .list()
          .filter((asset) => !asset.gone)
          .map(toEmulatorAsset),
      requests: () => state.log.list(),
      usages: (asset) => state.usages.list(asset),
      close() {
        state.waits.close();
        state.changes.close();
        closed ??= closeAll();
        return closed;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** What a site's `.env` file may say about its own service: none of that is for this one. */
const otherService = {
  MEDIA_ASSET_REFRESH_TOKEN: '',
  MEDIA_ASSET_ACCESS_TOKEN: '',
  MEDIA_ASSET_TOKEN_STORE: '',
  MEDIA_ASSET_TOKEN_KEY: '',
  MEDIA_ASSET_STATE_URL: '',
};

function environmentOf(url: string, settings: EmulatorSettings): Record<string, string> {
  return {
    MEDIA_ASSET_BASE_URL: url,
    MEDIA_ASSET_ACCOUNTS_URL: url,
    MEDIA_ASSET_AUTH_URL: url,
    MEDIA_ASSET_CLIENT_ID: settings.clientId,
    MEDIA_ASSET_CLIENT_SECRET: settings.clientSecret,
    MEDIA_ASSET_USERNAME: settings.username,
    MEDIA_ASSET_PASSWORD: settings.password,
    ...otherService,
  };
}

function toEmulatorAsset({ id, name, title, folder, path, metadata }: Asset): EmulatorAsset {
  return { id, name, title, folder, path, metadata };
}

function requirePort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  const problems = [`port: expected a whole number from 0 to 65535, received ${port}`];
  throw mediaAssetError('emulator-options-invalid', { problems });
}

function writeFault(error: unknown): void {
  console.error(error);
}
