import type { DatabaseSync } from 'node:sqlite';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { createAccessTokens, createAuthorizationCodes } from './auth/tokens.ts';
import { HttpError } from './calls/http-error.ts';
import { type Asset, parseId } from './library/asset.ts';
import { createAssetRecords } from './library/asset-records.ts';
import { createMediaLibrary, type MediaLibrary } from './library/media-library.ts';
import { createUsageRecords } from './library/usage-records.ts';
import { createRequestLog } from './request-log.ts';
import type { EmulatorSettings } from './settings.ts';

export type EmulatorState = ReturnType<typeof createState>;

export function createState(
  given: { database: DatabaseSync; settings: EmulatorSettings; clock: () => number },
  places: { media: string; data: string },
) {
  const { database, clock } = given;
  return {
    ...given,
    library: createMediaLibrary(database, places),
    records: createAssetRecords(database),
    tokens: createAccessTokens(clock),
    codes: createAuthorizationCodes(clock),
    usages: createUsageRecords(database, clock),
    log: createRequestLog(database, clock),
  };
}

export interface CallEnvironment {
  Bindings: HttpBindings;
  Variables: {
    /** The request body, already read and logged. */
    body: Uint8Array;
    user: string;
    sequence: number;
  };
}

export type App = Hono<CallEnvironment>;
export type CallContext = Context<CallEnvironment>;

/** The asset in a path, as `library.find` or `library.record` finds it. */
export function requireAsset(find: MediaLibrary['find'], id: string): Asset {
  const asset = find(parseId(id));
  if (asset === undefined)
    throw new HttpError(404, 'file-unknown', `There is no file ${id.slice(0, 80)}.`);
  return asset;
}
