import { realpathSync } from 'node:fs';
import { mediaAssetError } from '../errors.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createControls, type EmulatorControls } from './controls.ts';
import { createApp } from './create-app.ts';
import type { FaultInput } from './fault.ts';
import { createFaults, type FaultState } from './faults.ts';
import { listen } from './listen.ts';
import { createMediaLibrary, findMediaFolder } from './media-library.ts';
import { openDatabase } from './open-database.ts';
import { createRequestLog, type LoggedRequest } from './request-log.ts';
import {
  type EmulatorChanges,
  type EmulatorSettings,
  type EmulatorSettingsInput,
  resolveSettings,
} from './settings.ts';
import { createUsageRecords, type UsageRecord } from './usage-records.ts';
import { createWaits } from './waits.ts';

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
 * `emulator-data-unusable` or `emulator-port-busy`.
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
  const database = openDatabase(data);
  try {
    const library = createMediaLibrary({ database, folder, data: realpathSync(data) });
    const usages = createUsageRecords({ database, settings, clock });
    const log = createRequestLog({ database, clock });
    const lifetime = (): number => settings().tokenLifetime;
    const tokens = createAccessTokens({ database, lifetime, clock });
    const faults = createFaults(() => settings().seed);
    const waits = createWaits();
    const state = { settings, library, tokens, usages, log, faults, waits };
    const controls = createControls(state, current);
    controls.setFaults(firstFaults);
    const listener = await listen(createApp({ state, controls, onFault, clock }), port);
    let closed: Promise<void> | undefined;
    return {
      ...controls,
      url: `http://127.0.0.1:${listener.port}`,
      port: listener.port,
      get settings() {
        return settings();
      },
      assets: () => library.list().filter((asset) => !asset.gone).length,
      log: () => log.list(),
      usages: (asset) => usages.list(asset),
      close() {
        waits.close();
        closed ??= listener.close(patience).finally(() => database.close());
        return closed;
      },
    };
  } catch (error) {
    database.close();
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
