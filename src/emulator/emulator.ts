import type { Asset } from './asset.ts';
import type { EmulatorControls } from './controls.ts';
import type { FaultInput } from './fault.ts';
import type { LoggedRequest } from './request-log.ts';
import type { EmulatorSettings, EmulatorSettingsInput } from './settings.ts';
import type { UsageRecord } from './usage-records.ts';

export interface EmulatorOptions extends EmulatorSettingsInput {
  /**
   * Folder of the media; its sub-folders are the service's folders. Never written to.
   * @default a new, empty one, which `close` deletes
   */
  readonly media?: string | undefined;
  /**
   * Folder for the database and for uploads; made if it isn't there. Ids, usages and log live on in
   * it. One emulator at a time can use it.
   * @default a new one, which `close` deletes
   */
  readonly data?: string | undefined;
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

/** An asset of an emulator: `path` is its folder and file name, such as `boats/ferry.jpg`. */
export type EmulatorAsset = Pick<Asset, 'id' | 'name' | 'title' | 'folder' | 'path' | 'metadata'>;

/** A running emulator. */
export interface Emulator extends EmulatorControls {
  /** The service's base URL: `http://127.0.0.1:4710`. */
  readonly url: string;
  /** The base URL of the second host, where uploads and downloads can lead; it takes no token. */
  readonly otherUrl: string;
  readonly port: number;
  /**
   * The variables that a site, or `media-asset`, needs to use this service: its addresses, and the
   * credentials of the `password` grant. Give them to a build as its environment.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** The media folder: files that are put there, changed or deleted are noticed at once. */
  readonly media: string;
  /** As they are now. */
  readonly settings: EmulatorSettings;
  /** The assets that there are, by folder and name. */
  assets(): EmulatorAsset[];
  /** Every request so far, in the order of arrival, secrets masked. */
  requests(): LoggedRequest[];
  /** The usage records of one asset, or of all, oldest first. */
  usages(asset?: number): UsageRecord[];
  /**
   * Answers the requests in flight, at most 10 s long, then ends and closes the database. Latencies
   * are cut short, and late requests never arrive. A second call waits for the first.
   */
  close(): Promise<void>;
}
