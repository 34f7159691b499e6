import { createHash } from 'node:crypto';
import { z } from 'zod';
import { mediaAssetError } from '../../errors/errors.ts';
import type { StoredTokens } from '../types.ts';
import { headerToken } from './token-request.ts';

/** Where the tokens of one client id at one service are kept, for all processes that use them. */
export interface TokenStore {
  /** As messages name it. Holds no secret. */
  readonly name: string;
  /** Whether a refresh token of the configuration may do without it while nothing has to be kept. */
  readonly dispensable?: boolean;
  read(): Promise<StoredTokens | undefined>;
  /**
   * Calls `change` with what is stored, and stores what it gives: `undefined` removes it, the same
   * object writes nothing. Nobody else who shares the store is inside meanwhile. `signal` ends the
   * wait for the others, with its reason; it does not end what is inside.
   */
  update(
    change: (stored: StoredTokens | undefined) => Promise<StoredTokens | undefined>,
    signal?: AbortSignal,
  ): Promise<void>;
}

export interface TokenIdentity {
  /** The base URL. */
  readonly service: string;
  readonly clientId: string;
  /**
   * The refresh token of the configuration that they descend from; undefined for those of a
   * sign-in. Another one in the configuration begins anew.
   */
  readonly seed?: string | undefined;
}

/** The name of an identity in a store. Of a seed it holds nothing that could be used. */
export function identityKey({ service, clientId, seed }: TokenIdentity): string {
  const origin = seed === undefined ? 'login' : createHash('sha256').update(seed).digest('hex');
  return JSON.stringify([service, clientId, origin.slice(0, 16)]);
}

const schema = z.object({
  accessToken: headerToken,
  refreshToken: z.string().min(1).optional(),
  obtainedAt: z.number(),
  expiresAt: z.number().optional(),
});

/** Tokens as a store holds them. Throws `token-store-broken`, which names fields and no value. */
export function parseTokens(value: unknown, store: string): StoredTokens {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problem = parsed.error.issues
    .map(({ path, message }) => `${path.join('.') || 'its tokens'}: ${message}`)
    .join('; ');
  throw mediaAssetError('token-store-broken', { store, problem });
}
