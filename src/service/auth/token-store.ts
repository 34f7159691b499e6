import { z } from 'zod';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { problemsIn } from '../../errors/wording.ts';
import { sha256 } from '../../storage/digest.ts';
import { ownerText, waitWhileBusy } from '../../storage/lease.ts';
import { headerToken } from '../requests.ts';

const tokens = z.object({
  accessToken: headerToken,
  refreshToken: z.string().min(1).optional(),
  /** When the tokens were requested, in ms since the epoch. */
  obtainedAt: z.number(),
  /** When the access token expires, in ms since the epoch; `undefined` if unknown. */
  expiresAt: z.number().optional(),
});

/** The tokens of a sign-in. */
export type StoredTokens = Readonly<z.output<typeof tokens>>;

/** Stores the tokens of one client ID at one service, for all processes that use them. */
export interface TokenStore {
  /** Used in messages. Holds no secret. */
  readonly name: string;
  read(): Promise<StoredTokens | undefined>;
  /**
   * Calls `change` with the stored tokens and stores its result. `undefined` removes them; the same
   * object writes nothing. Only one process at a time is inside.
   */
  update(
    change: (stored: StoredTokens | undefined) => Promise<StoredTokens | undefined>,
  ): Promise<void>;
}

export interface TokenIdentity {
  readonly service: string;
  readonly clientId: string;
  /** The configured refresh token that these descend from. Another one starts afresh. */
  readonly seed?: string | undefined;
}

/** Identifies the tokens in a store. Doesn't reveal the seed. */
export function identityKey({ service, clientId, seed }: TokenIdentity): string {
  const origin = seed === undefined ? 'login' : sha256(seed);
  return JSON.stringify([service, clientId, origin.slice(0, 16)]);
}

/** Parses stored tokens. Throws `token-store-unusable`, which names fields but no values. */
export function parseTokens(value: unknown, store: string): StoredTokens {
  const { data, error } = tokens.safeParse(value);
  if (data) return data;
  const problem = problemsIn(error, 'its tokens').join('; ');
  throw mediaAssetError('token-store-unusable', { store, problem });
}

/** How long to wait for other processes, in ms. */
const patience = 3 * 60 * 1000;

/** Waits while other processes hold a store. */
export async function waitForTokens<T>(lock: () => Promise<T>): Promise<T> {
  const isBusy = (error: unknown) => isMediaAssetError(error, 'token-store-busy');
  return waitWhileBusy(lock, { isBusy, patience, interval: 50 });
}

export function tokenStoreBusy(store: string, lock: string | undefined) {
  return mediaAssetError('token-store-busy', { store, owner: ownerText(lock) });
}
