import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { AccessTokens } from './access-tokens.ts';
import type { AuthorizationCodes } from './authorization-codes.ts';
import type { Fault } from './fault.ts';
import type { Faults } from './faults.ts';
import type { Asset, MediaLibrary } from './media-library.ts';
import type { RecordChanges } from './record-changes.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import { Refusal } from './refusal.ts';
import type { RequestLog } from './request-log.ts';
import type { EmulatorSettings } from './settings.ts';
import type { AddressSigner } from './sign-address.ts';
import type { UploadRecords } from './upload-records.ts';
import type { UsageChanges } from './usage-changes.ts';
import type { UsageRecords } from './usage-records.ts';
import type { Waits } from './waits.ts';

/** What the calls of the service work on. */
export interface EmulatorState {
  /** As they are now: an admin call can change them. */
  readonly settings: () => EmulatorSettings;
  /** The data folder. */
  readonly data: string;
  readonly library: MediaLibrary;
  readonly uploads: UploadRecords;
  /** Changes an asset's record. */
  readonly changeRecord: (asset: Asset, changes: RecordChanges) => void;
  readonly tokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly codes: AuthorizationCodes;
  readonly usages: UsageRecords;
  readonly changes: UsageChanges;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly waits: Waits;
  readonly signer: AddressSigner;
  /** Base URL of the second host. */
  readonly otherHost: () => string;
}

/** What each call finds in its hono context. */
export interface CallEnvironment {
  Bindings: HttpBindings;
  Variables: {
    /** The request's body, already read and logged. */
    body: Uint8Array;
    /** The content of an upload, where it has come before the call is carried out. */
    content: AsyncIterable<Uint8Array> | undefined;
    /** The signed-in user. */
    user: string;
    /** The request's number in the log. */
    sequence: number;
    /** The kind of the fault that the request meets, if any. */
    fault: Fault['kind'] | undefined;
    /** Whether the service carried the request out, where the status doesn't say so. */
    effect: boolean | undefined;
  };
}

export type Call = Context<CallEnvironment>;

/** Whether the service has carried the request out, in whole or in part. */
export function hadEffect(c: Call): boolean {
  return c.get('effect') ?? c.res.status < 400;
}

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
