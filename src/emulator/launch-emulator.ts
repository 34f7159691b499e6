import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bend, createApp } from './create-app.ts';
import { type App, createState, type EmulatorState } from './emulator-state.ts';
import type { Asset } from './library/asset.ts';
import { findMediaFolder } from './library/media-library.ts';
import { lockDataFolder, openDatabase } from './library/open-database.ts';
import type { StoredUsage } from './library/usage-records.ts';
import { listen } from './listen.ts';
import type { LoggedRequest } from './request-log.ts';
import { type EmulatorSettings, type EmulatorSettingsInput, resolveSettings } from './settings.ts';

export interface EmulatorOptions extends EmulatorSettingsInput {
  /**
   * Media folder. Its subfolders become the service's folders. The emulator never writes to it.
   * @default a new empty folder, deleted by `close`
   */
  readonly media?: string | undefined;
  /**
   * Folder for the database and uploads, created if missing. Keeps IDs, usages and the log between
   * runs. Only one emulator at a time can use it.
   * @default a new folder, deleted by `close`
   */
  readonly data?: string | undefined;
  /** Port on 127.0.0.1; 0 for a free one. @default 0 */
  readonly port?: number | undefined;
  /** Returns ms since 1970. @default Date.now */
  readonly clock?: (() => number) | undefined;
  /** Called with internal errors. The caller gets a 500. @default prints to stderr */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/** An asset. `path` is its folder and file name, such as `boats/ferry.jpg`. */
export type EmulatorAsset = Pick<Asset, 'id' | 'name' | 'title' | 'folder' | 'path' | 'metadata'>;

/** A running emulator. */
export interface Emulator {
  /** Base URL of the service, such as `http://127.0.0.1:4710`. */
  readonly url: string;
  readonly port: number;
  /** Environment variables for a build or for `media-asset`: URLs and password credentials. */
  readonly environment: Readonly<Record<string, string>>;
  /** The media folder. New, changed and deleted files are noticed at once. */
  readonly media: string;
  readonly settings: EmulatorSettings;
  /** All assets, by folder and name. */
  assets(): EmulatorAsset[];
  /** All requests, in order of arrival, without secrets. */
  requests(): LoggedRequest[];
  /** The usage records of an asset, or of all assets, oldest first. */
  usages(asset?: number): StoredUsage[];
  /** Deletes all usages and the log. */
  reset(): void;
  /**
   * Finishes the requests in progress (for up to 10 s), then stops and closes the database. A
   * second call waits for the first.
   */
  close(): Promise<void>;
}

/** How long `close` waits for requests in progress, in ms. */
const patience = 10_000;

/** Starts an emulator as `startEmulator` does. A bend can change its answers. */
export async function launchEmulator(
  options: EmulatorOptions,
  bend?: (state: EmulatorState) => Bend,
): Promise<{ emulator: Emulator; app: App }> {
  const { media, data: givenData, port = 0, clock = Date.now, onFault, ...input } = options;
  const settings = resolveSettings(input);
  const opened: (() => unknown)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.reverse()) await close();
  };
  try {
    const makeFolder = (name: string): string => {
      const folder = mkdtempSync(join(tmpdir(), `media-asset-emulator-${name}-`));
      opened.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
      return folder;
    };
    const data = givenData ?? makeFolder('data');
    const folder = findMediaFolder(media ?? makeFolder('media'), data);
    opened.push(lockDataFolder(data));
    const database = openDatabase(data);
    opened.push(() => database.close());
    const places = { media: folder, data: realpathSync(data) };
    const state = createState({ database, settings, clock }, places);
    const toStderr = (error: unknown) => console.error(error);
    const app = createApp(state, { onFault: onFault ?? toStderr, bend: bend?.(state) });
    const { port: listening, close } = await listen(app, port);
    opened.push(() => close(patience));
    let closed: Promise<void> | undefined;
    const url = `http://127.0.0.1:${listening}`;
    const emulator: Emulator = {
      url,
      environment: environmentOf(url, settings),
      media: folder,
      port: listening,
      settings,
      assets: () =>
        state.library
          .list()
          .flatMap(({ gone, file: _, awaited: __, ...asset }) => (gone ? [] : asset)),
      requests: () => state.log.list(),
      usages: (asset) => state.usages.list(asset),
      reset() {
        state.usages.clear();
        state.log.clear();
      },
      close: () => (closed ??= closeAll()),
    };
    return { emulator, app };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function environmentOf(url: string, settings: EmulatorSettings): Record<string, string> {
  return {
    MEDIA_ASSET_BASE_URL: url,
    MEDIA_ASSET_ACCOUNTS_URL: url,
    MEDIA_ASSET_AUTH_URL: url,
    MEDIA_ASSET_CLIENT_ID: settings.clientId,
    MEDIA_ASSET_CLIENT_SECRET: settings.clientSecret,
    MEDIA_ASSET_USERNAME: settings.username,
    MEDIA_ASSET_PASSWORD: settings.password,
    // Override what a site's `.env` file may set for its own service.
    MEDIA_ASSET_TOKEN_ENCODING: '',
    MEDIA_ASSET_DOWNLOADS: '',
    MEDIA_ASSET_UPLOAD_FIELDS: 'filename,size,folder',
    MEDIA_ASSET_REFRESH_TOKEN: '',
    MEDIA_ASSET_ACCESS_TOKEN: '',
    MEDIA_ASSET_TOKEN_STORE: '',
    MEDIA_ASSET_TOKEN_KEY: '',
    MEDIA_ASSET_STATE_URL: '',
  };
}
