import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { AccessTokens } from './access-tokens.ts';
import type { Asset, MediaLibrary } from './media-library.ts';
import { Refusal } from './refusal.ts';
import type { RequestLog } from './request-log.ts';
import type { EmulatorSettings } from './settings.ts';
import type { UsageRecords } from './usage-records.ts';

/** What the calls of the service work on. */
export interface EmulatorState {
  readonly settings: EmulatorSettings;
  readonly library: MediaLibrary;
  readonly tokens: AccessTokens;
  readonly usages: UsageRecords;
  readonly log: RequestLog;
}

/** What each call finds in its hono context. */
export interface CallEnvironment {
  Bindings: HttpBindings;
  Variables: {
    /** The request's body, already read and logged. */
    body: Uint8Array;
    /** The signed-in user. */
    user: string;
  };
}

export type Call = Context<CallEnvironment>;

/**
 * The asset that a path names.
 *
 * @throws Refusal 404 for an id that the library doesn't have, or no longer has.
 */
export function requireAsset(library: MediaLibrary, id: string): Asset {
  const asset = /^[1-9]\d{0,15}$/.test(id) ? library.find(Number(id)) : undefined;
  if (asset === undefined)
    throw new Refusal(404, 'file-unknown', `There is no file ${id.slice(0, 80)}.`);
  return asset;
}
