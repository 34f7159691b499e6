import { realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import {
  createAccessTokens,
  createAddressSigner,
  createAuthorizationCodes,
  createRefreshTokens,
} from './auth/tokens.ts';
import { HttpError } from './calls/http-error.ts';
import { createFaults } from './faults/active-faults.ts';
import type { Fault } from './faults/fault-schema.ts';
import { createWaits } from './faults/fault-waits.ts';
import { parseId } from './library/asset.ts';
import { createRecordChanger, createUploadRecords } from './library/asset-records.ts';
import { type Asset, createMediaLibrary, type MediaLibrary } from './library/media-library.ts';
import { createUsageChanges, createUsageRecords } from './library/usage-records.ts';
import { createRequestLog } from './request-log.ts';
import type { EmulatorSettings } from './settings.ts';

/** The state that all calls share. */
export type EmulatorState = ReturnType<typeof createState>;

/**
 * @param folder real path of the media folder
 * @param data an existing data folder
 * @param settings returns the current settings, which admin calls can change
 * @param clock returns ms since 1970
 * @param otherHost returns the base URL of the second host
 */
export function createState({
  database,
  folder,
  data,
  settings,
  clock,
  otherHost,
}: {
  database: DatabaseSync;
  folder: string;
  data: string;
  settings: () => EmulatorSettings;
  clock: () => number;
  otherHost: () => string;
}) {
  const changes = createUsageChanges();
  return {
    settings,
    otherHost,
    library: createMediaLibrary({ database, folder, data: realpathSync(data), settings }),
    uploads: createUploadRecords({ database, settings }),
    changeRecord: createRecordChanger(database),
    tokens: createAccessTokens({ database, lifetime: () => settings().tokenLifetime, clock }),
    refreshTokens: createRefreshTokens({ database, settings }),
    codes: createAuthorizationCodes(clock),
    usages: createUsageRecords({ database, settings, clock, onChange: changes.announce }),
    changes,
    log: createRequestLog({ database, clock }),
    faults: createFaults(() => settings().seed),
    waits: createWaits(),
    signer: createAddressSigner(clock),
  };
}

export interface CallEnvironment {
  Bindings: HttpBindings;
  Variables: {
    /** The request body, already read and logged. */
    body: Uint8Array;
    user: string;
    sequence: number;
    fault: Fault['kind'] | undefined;
    /** Whether the request took effect, if the status doesn't tell. */
    effect: boolean | undefined;
  };
}

export type CallContext = Context<CallEnvironment>;

export function hadEffect(c: CallContext): boolean {
  return c.get('effect') ?? c.res.status < 400;
}

/** @throws HttpError 404 for an unknown or deleted file */
export function requireAsset(library: MediaLibrary, id: string): Asset {
  const asset = library.find(parseId(id));
  if (asset === undefined)
    throw new HttpError(404, 'file-unknown', `There is no file ${id.slice(0, 80)}.`);
  return asset;
}
