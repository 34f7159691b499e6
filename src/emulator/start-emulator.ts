import { mediaAssetError } from '../errors.ts';
import { createControls, type EmulatorControls } from './controls.ts';
import { createApp, createOtherApp } from './create-app.ts';
import { createState } from './create-state.ts';
import type { FaultInput } from './fault.ts';
import type { FaultState } from './faults.ts';
import { listen } from './listen.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { findMediaFolder } from './media-library.ts';
import { openDatabase } from './open-database.ts';
import { dropParts } from './receive-upload.ts';
import type { LoggedRequest } from './request-log.ts';
import {
  type EmulatorChanges,
  type EmulatorSettings,
  type EmulatorSettingsInput,
  resolveSettings,
} from './settings.ts';
import type { UsageRecord } from './usage-records.ts';

export type {
  EmulatorChanges,
  EmulatorControls,
  EmulatorSettings,
  EmulatorSettingsInput,
  FaultInput,
  FaultState,
  LoggedRequest,
  UsageRecord,
};

export interface EmulatorOptions extends EmulatorSettingsInput {
  /** Folder of the media; its sub-folders are the service's folders. Read only. */
  readonly media: string;
  /** Folder for the emulator's database; made if it isn't there. Ids, usages and log live on in it. */
  readonly data: string;
  /**
   * Port of 127.0.0.1; 0 for a free one.
   * @default 0
   */
  readonly port?: number | undefined;
  /**
   * What goes wrong on purpose.
   * @default []
   */
  readonly faults?: readonly FaultInput[] | undefined;
  /**
   * Milliseconds since 1970.
   * @default Date.now
   */
  readonly clock?: (() => number) | undefined;
  /**
   * Told of errors inside the emulator; the caller gets a 500.
   * @default writes them to standard error
   */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/** A running emulator. */
export interface Emulator extends EmulatorControls {
  /** The service's base URL: `http://127.0.0.1:4710`. */
  readonly url: string;
  /** The base URL of the second host, where uploads and downloads can lead; it takes no token. */
  readonly otherUrl: string;
  readonly port: number;
  /** As they are now. */
  readonly settings: EmulatorSettings;
  /** How many assets the library has. */
  assets(): number;
  /** Every request so far, in the order of arrival, secrets masked. */
  log(): LoggedRequest[];
  /** The usage records of one asset, or of all, oldest first. */
  usages(asset?: number): UsageRecord[];
  /**
   * Answers the requests in flight, at most 10 s long, then ends and closes the database. Latencies
   * are cut short, and late requests never arrive.
   */
  close(): Promise<void>;
}

/** How long `close` waits for requests in flight, in milliseconds. */
const patience = 10_000;

/**
 * Starts a Media Asset Service on 127.0.0.1, over a media folder and a data folder.
 *
 * @example
 * const emulator = await startEmulator({ media: 'test/media', data: '.emulator' });
 * // … build a site with MEDIA_ASSET_BASE_URL=emulator.url, then:
 * emulator.usages(4711);
 * await emulator.close();
 *
 * @throws MediaAssetError `emulator-options-invalid`, `emulator-media-missing`,
 * `emulator-data-busy`, `emulator-data-unusable` or `emulator-port-busy`.
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const {
    media,
    data,
    port = 0,
    faults: firstFaults = [],
    clock = Date.now,
    onFault = writeFault,
    ...input
  } = options;
  const current = { settings: resolveSettings(input) };
  const settings = (): EmulatorSettings => current.settings;
  requirePort(port);
  const folder = findMediaFolder(media);
  const unlock = lockDataFolder(data);
  const opened: { close(): unknown }[] = [{ close: unlock }];
  const closeAll = async (): Promise<void> => {
    for (const one of opened.reverse()) await one.close();
  };
  try {
    const database = openDatabase(data);
    opened.push(database);
    await dropParts(data);
    let other = '';
    const state = createState({ database, folder, data, settings, clock, otherHost: () => other });
    const controls = createControls(state, current);
    controls.setFaults(firstFaults);
    const parts = { state, onFault, clock };
    const second = await listen(createOtherApp(parts), 0);
    opened.push({ close: () => second.close(patience) });
    other = `http://127.0.0.1:${second.port}`;
    const first = await listen(createApp({ ...parts, controls }), port);
    opened.push({ close: () => first.close(patience) });
    let closed: Promise<void> | undefined;
    return {
      ...controls,
      url: `http://127.0.0.1:${first.port}`,
      otherUrl: other,
      port: first.port,
      get settings() {
        return settings();
      },
      assets: () => state.library.list().filter((asset) => !asset.gone).length,
      log: () => state.log.list(),
      usages: (asset) => state.usages.list(asset),
      close() {
        state.waits.close();
        closed ??= closeAll();
        return closed;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function requirePort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  const problems = [`port: expected a whole number from 0 to 65535, received ${port}`];
  throw mediaAssetError('emulator-options-invalid', { problems });
}

function writeFault(error: unknown): void {
  console.error(error);
}
