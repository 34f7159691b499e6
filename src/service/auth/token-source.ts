import { isMediaAssetError } from '../../errors/errors.ts';
import type { Redactor } from '../http/redactor.ts';
import type { Clock, Sleep } from '../http/timing.ts';
import { ServiceError, serviceError } from '../service-error.ts';
import type { Credentials } from '../service-options.ts';
import type { Grant, Token } from './token-request.ts';
import type { StoredTokens, TokenStore } from './token-store.ts';

/** Waits between attempts to save a rotated refresh token, in ms. */
const saveRetries = [250, 500, 1000, 2000, 4000];

/**
 * Holds a client's tokens and shares them with other processes through the store, if there is one.
 * A rotated refresh token is saved before its access token is used. Without a store, rotating the
 * configured refresh token is an error (`refresh-token-rotated`). A refresh token from the password
 * grant is used until it fails.
 */
export function createTokenSource(source: {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly tokenStore?: TokenStore | undefined;
  /** Sends a token request. Throws a ServiceError. */
  readonly request: (grant: Grant) => Promise<Token>;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly redactor: Redactor;
}) {
  const { baseUrl: service, credentials, request, clock, sleep, redactor } = source;
  const { kind } = credentials;
  const configured = kind === 'refresh-token' ? credentials.refreshToken : undefined;
  const store =
    kind === 'refresh-token' || kind === 'authorization-code' ? source.tokenStore : undefined;
  let held: StoredTokens | undefined;
  let refused: string | undefined;
  /** Tokens with a rotated refresh token that isn't in the store yet. */
  let unsaved: StoredTokens | undefined;
  /** The one token request that all callers wait for. */
  let obtaining: Promise<string> | undefined;
  if (kind === 'access-token') held = { accessToken: credentials.accessToken, obtainedAt: clock() };

  function isUsable(tokens: StoredTokens | undefined): boolean {
    if (tokens === undefined || tokens.accessToken === refused) return false;
    const { expiresAt = Number.POSITIVE_INFINITY, obtainedAt } = tokens;
    // A token is renewed a minute before its expiry, or less if its lifetime is short.
    return clock() < expiresAt - Math.min(60_000, (expiresAt - obtainedAt) / 10);
  }

  function hold(tokens: StoredTokens | undefined): void {
    if (tokens === undefined) return;
    redactor.add(tokens.accessToken);
    if (tokens.refreshToken !== undefined) redactor.add(tokens.refreshToken);
    held = tokens;
  }

  async function ask(grant: Grant): Promise<StoredTokens> {
    const obtainedAt = clock();
    const { accessToken, refreshToken, lifetime } = await request(grant);
    return {
      accessToken,
      refreshToken:
        refreshToken ?? (grant.grant_type === 'refresh_token' ? grant.refresh_token : undefined),
      obtainedAt,
      expiresAt: lifetime === undefined ? undefined : obtainedAt + lifetime,
    };
  }

  async function obtain(): Promise<string> {
    if (kind === 'none') {
      const details = { missing: ['credentials'] };
      throw serviceError('service-not-configured', details, { effect: 'none' });
    }
    try {
      if (unsaved !== undefined) await save(unsaved);
      if (!isUsable(held)) await (store ? obtainShared(store) : obtainAlone());
    } catch (error) {
      // The call that needs the token was never sent.
      if (!isMediaAssetError(error) || error instanceof ServiceError) throw error;
      throw new ServiceError(error.code, error, { effect: 'none', cause: error.cause });
    }
    if (held === undefined) throw new Error('There is no token, and no error either.');
    return held.accessToken;
  }

  /** Only one of the processes that share the store refreshes. The others read its tokens. */
  async function obtainShared(shared: TokenStore): Promise<void> {
    try {
      hold(await shared.read());
      if (isUsable(held)) return;
      await shared.update(async (stored) => {
        hold(stored);
        if (isUsable(stored)) return stored;
        const fresh = await refresh(stored?.refreshToken);
        hold(fresh);
        // A configured refresh token that wasn't rotated needs no store.
        if (stored === undefined && fresh.refreshToken === configured) return stored;
        if (fresh.refreshToken !== stored?.refreshToken) unsaved = fresh;
        return fresh;
      });
      unsaved = undefined;
    } catch (error) {
      if (unsaved === undefined) throw error;
      await saveAgain(unsaved);
    }
  }

  /** A store that is away for seconds, such as a Redis that restarts, doesn't cost a sign-in. */
  async function saveAgain(tokens: StoredTokens): Promise<void> {
    for (const wait of saveRetries) {
      await sleep(wait);
      const error = await save(tokens).catch((thrown: unknown) => thrown);
      if (!error) return;
    }
    await save(tokens);
  }

  async function obtainAlone(): Promise<void> {
    const fresh = await refresh(held?.refreshToken);
    hold(fresh);
    if (configured === undefined || fresh.refreshToken === configured) return;
    unsaved = fresh;
    throw rotated(undefined);
  }

  async function refresh(refreshToken = configured): Promise<StoredTokens> {
    if (refreshToken !== undefined) {
      try {
        return await ask({ grant_type: 'refresh_token', refresh_token: refreshToken });
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'credentials-refused') throw error;
        if (kind === 'authorization-code') throw missing(error.message.replace(/\.$/, ''), error);
        if (kind !== 'password' && refreshToken === configured) throw error;
      }
    }
    if (configured !== undefined) return refresh(configured);
    if (kind !== 'password') throw missing(held && 'its token has expired');
    const { kind: grant_type, ...granted } = credentials;
    return ask({ grant_type, ...granted });
  }

  async function save(tokens: StoredTokens): Promise<void> {
    try {
      await store?.update(async (stored) =>
        stored && stored.obtainedAt > tokens.obtainedAt ? stored : tokens,
      );
    } catch (error) {
      throw rotated(error);
    }
    if (store === undefined) throw rotated(undefined);
    unsaved = undefined;
  }

  function rotated(thrown: unknown): ServiceError {
    const cause = thrown === undefined ? undefined : redactor.redactError(thrown);
    const problem = cause instanceof Error ? cause.message : 'no token store is configured.';
    return serviceError('refresh-token-rotated', { problem }, { effect: 'none', cause });
  }

  /** `ended` says why an earlier sign-in isn't valid any more. */
  function missing(ended: string | undefined, cause?: unknown): ServiceError {
    return serviceError('sign-in-missing', { service, ended }, { effect: 'none', cause });
  }

  async function current(signal?: AbortSignal): Promise<string> {
    if (unsaved === undefined && held && isUsable(held)) return held.accessToken;
    signal?.throwIfAborted();
    obtaining ??= obtain().finally(() => {
      obtaining = undefined;
    });
    return untilAborted(obtaining, signal);
  }

  return {
    current,
    /** New tokens for a refresh token that someone else keeps. */
    exchange: (refresh_token: string) => ask({ grant_type: 'refresh_token', refresh_token }),
    async renewed(token: string, signal?: AbortSignal) {
      if (kind === 'access-token') return undefined;
      // Another call may already have renewed it.
      if (held?.accessToken === token) refused = token;
      return current(signal);
    },
    async signIn({ code, redirectUri }: { code: string; redirectUri: string }) {
      const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri } as const;
      const tokens = await ask(grant);
      if (kind !== 'authorization-code') return tokens;
      hold(tokens);
      await store?.update(async () => tokens);
      return tokens;
    },
  };
}

/** Rejects early if the signal fires. The work goes on: it may bring the only refresh token that works. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abandon = () => reject(signal.reason);
  signal.addEventListener('abort', abandon, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
