import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { EmulatorSettings } from '../settings.ts';

/** Tokens are stored as hashes: they survive a restart, but the database holds no usable one. */
function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export interface AccessTokens {
  /** Issues a token for a user. `expiresIn` is in whole seconds, at least 1. */
  issue(username: string): { token: string; expiresIn: number };
  /** The token's user; `undefined` if the token is unknown or has expired. */
  userOf(token: string): string | undefined;
}

/** `lifetime` returns the seconds for new tokens, `clock` ms since 1970. */
export function createAccessTokens({
  database,
  lifetime,
  clock,
}: {
  database: DatabaseSync;
  lifetime: () => number;
  clock: () => number;
}): AccessTokens {
  const add = database.prepare(
    'INSERT INTO access_token (hash, username, expires) VALUES (?, ?, ?)',
  );
  const expire = database.prepare('DELETE FROM access_token WHERE expires <= ?');
  const find = database.prepare('SELECT username FROM access_token WHERE hash = ? AND expires > ?');
  return {
    issue(username) {
      expire.run(clock());
      const token = newToken();
      const seconds = lifetime();
      add.run(hash(token), username, clock() + seconds * 1000);
      return { token, expiresIn: Math.max(1, Math.floor(seconds)) };
    },
    userOf(token) {
      const row = find.get(hash(token), clock());
      return row === undefined ? undefined : String(row.username);
    },
  };
}

export interface RefreshTokens {
  issue(): string | undefined;
  /** Whether a token is valid. Uses up a rotated token. */
  accept(token: string): boolean;
}

/** The configured refresh token and the rotated ones, each of which works once. */
export function createRefreshTokens({
  database,
  settings,
}: {
  database: DatabaseSync;
  settings: () => Pick<EmulatorSettings, 'refreshToken' | 'refreshTokens'>;
}): RefreshTokens {
  const add = database.prepare('INSERT INTO refresh_token (hash, spent) VALUES (?, 0)');
  const find = database.prepare('SELECT spent FROM refresh_token WHERE hash = ?');
  const spend = database.prepare(
    'INSERT OR REPLACE INTO refresh_token (hash, spent) VALUES (?, 1)',
  );
  return {
    issue() {
      const { refreshToken, refreshTokens } = settings();
      switch (refreshTokens) {
        case 'fixed':
          return refreshToken;
        case 'empty':
          return '';
        case 'none':
          return undefined;
        case 'rotated': {
          const token = newToken();
          add.run(hash(token));
          return token;
        }
      }
    },
    accept(token) {
      const { refreshToken, refreshTokens } = settings();
      if (refreshTokens !== 'rotated') return token === refreshToken;
      const row = find.get(hash(token));
      if (row === undefined ? token !== refreshToken : row.spent === 1) return false;
      spend.run(hash(token));
      return true;
    },
  };
}

interface CodeBinding {
  readonly client: string;
  readonly redirectUri: string;
}

export interface AuthorizationCodes {
  issue(username: string, binding: CodeBinding): string;
  /** The code's user; `undefined` if it's unknown, used, expired or bound to another client. */
  redeem(code: string, binding: CodeBinding): string | undefined;
}

/** How long a code is valid, in ms. */
const codeLifetime = 60_000;

/**
 * Authorization codes, in memory (RFC 6749, 4.1.2). `clock` returns ms since 1970. Any attempt to
 * redeem a code uses it up.
 */
export function createAuthorizationCodes(clock: () => number): AuthorizationCodes {
  const codes = new Map<string, CodeBinding & { username: string; expires: number }>();
  return {
    issue(username, binding) {
      const code = newToken();
      codes.set(code, { ...binding, username, expires: clock() + codeLifetime });
      return code;
    },
    redeem(code, { client, redirectUri }) {
      const found = codes.get(code);
      codes.delete(code);
      if (found === undefined || found.expires <= clock()) return undefined;
      const isBound = found.client === client && found.redirectUri === redirectUri;
      return isBound ? found.username : undefined;
    },
  };
}

/** How long a signed URL is valid, in ms. */
const lifetime = 300_000;

export interface AddressSigner {
  /** Adds an expiry time and a signature to a path and query. */
  sign(path: string, query: URLSearchParams): string;
  /** Whether a path and query have a valid signature and haven't expired. */
  isSigned(path: string, query: URLSearchParams): boolean;
}

/** Signs URLs that need no token. They end with the process. `clock` returns ms since 1970. */
export function createAddressSigner(clock: () => number): AddressSigner {
  const key = randomBytes(32);
  const signatureOf = (path: string, query: URLSearchParams): string =>
    createHmac('sha256', key).update(`${path}?${query}`).digest('base64url');
  return {
    sign(path, query) {
      const signed = new URLSearchParams(query);
      signed.set('expires', String(clock() + lifetime));
      signed.set('signature', signatureOf(path, signed));
      return `${path}?${signed}`;
    },
    isSigned(path, query) {
      const unsigned = new URLSearchParams(query);
      unsigned.delete('signature');
      const given = Buffer.from(query.get('signature') ?? '');
      const right = Buffer.from(signatureOf(path, unsigned));
      if (given.length !== right.length || !timingSafeEqual(given, right)) return false;
      return Number(unsigned.get('expires')) > clock();
    },
  };
}
