import type { Token } from './read-token-answer.ts';
import type { Redactor } from './redactor.ts';
import type { Clock } from './service-context.ts';
import { ServiceError, serviceError } from './service-error.ts';
import type { Credentials } from './service-options.ts';
import type { Grant } from './token-request.ts';

/** Where calls get their access token from. */
export interface TokenSource {
  /** A token that has not expired. However many callers wait, one request is made. */
  current(signal?: AbortSignal): Promise<string>;
  /** A token in place of one that the service has refused; undefined where there is no other. */
  renewed(refused: string, signal?: AbortSignal): Promise<string | undefined>;
}

/** A token is renewed this long before it expires: a minute, of short-lived ones a tenth. */
function marginOf(lifetime: number): number {
  return Math.min(60_000, lifetime / 10);
}

/**
 * Keeps the access token of one client. A refresh token that came with the password grant is used
 * while it works. A refresh token of the configuration that the service replaces goes to
 * `onTokenRotated`; no token is given out before it is kept there (`refresh-token-rotated`).
 */
export function createTokenSource(source: {
  readonly credentials: Credentials;
  /** Makes a token request. Throws a ServiceError. */
  readonly request: (grant: Grant) => Promise<Token>;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly onTokenRotated: ((refreshToken: string) => void | Promise<void>) | undefined;
}): TokenSource {
  const { credentials, request, clock, redactor, onTokenRotated } = source;
  let refreshToken = credentials.kind === 'refresh-token' ? credentials.refreshToken : undefined;
  let access: { readonly value: string; readonly renewAt: number } | undefined;
  let unsaved: string | undefined;
  let pending: Promise<string> | undefined;
  if (credentials.kind === 'access-token') {
    access = { value: credentials.accessToken, renewAt: Number.POSITIVE_INFINITY };
  }

  function usable(): string | undefined {
    return access && unsaved === undefined && clock() < access.renewAt ? access.value : undefined;
  }

  async function obtain(): Promise<string> {
    if (unsaved !== undefined) await save(unsaved);
    const kept = usable();
    if (kept !== undefined) return kept;
    const asked = clock();
    const token = await grant();
    redactor.add(token.accessToken);
    const { lifetime } = token;
    access = {
      value: token.accessToken,
      renewAt:
        lifetime === undefined ? Number.POSITIVE_INFINITY : asked + lifetime - marginOf(lifetime),
    };
    if (token.refreshToken !== undefined && token.refreshToken !== refreshToken) {
      redactor.add(token.refreshToken);
      refreshToken = token.refreshToken;
      if (credentials.kind === 'refresh-token') await save(refreshToken);
    }
    return token.accessToken;
  }

  async function grant(): Promise<Token> {
    if (refreshToken !== undefined) {
      try {
        return await request({ grant_type: 'refresh_token', refresh_token: refreshToken });
      } catch (thrown) {
        const refused = thrown instanceof ServiceError && thrown.code === 'credentials-refused';
        if (!refused || credentials.kind !== 'password') throw thrown;
        refreshToken = undefined;
      }
    }
    if (credentials.kind !== 'password') throw new Error('There is nothing to get a token with.');
    const { username, password } = credentials;
    return request({ grant_type: 'password', username, password });
  }

  async function save(rotated: string): Promise<void> {
    unsaved = rotated;
    let cause: unknown;
    try {
      await onTokenRotated?.(rotated);
      if (onTokenRotated) unsaved = undefined;
    } catch (thrown) {
      cause = redactor.redactError(thrown);
    }
    if (unsaved === undefined) return;
    throw serviceError('refresh-token-rotated', undefined, { effect: 'none', cause });
  }

  async function current(signal?: AbortSignal): Promise<string> {
    const kept = usable();
    if (kept !== undefined) return kept;
    pending ??= obtain().finally(() => {
      pending = undefined;
    });
    return untilAborted(pending, signal);
  }

  return {
    current,
    async renewed(refused, signal) {
      if (credentials.kind === 'access-token') return undefined;
      // Another call may have renewed it since.
      if (access?.value === refused) access = undefined;
      return current(signal);
    },
  };
}

/** The promise, or the signal's reason where that fires first; the work itself goes on for others. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abandon = () => reject(signal.reason);
  signal.addEventListener('abort', abandon, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
