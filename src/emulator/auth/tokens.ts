import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** Tokens are stored as hashes: they survive a restart, but the database holds no usable one. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const newToken = () => randomBytes(32).toString('base64url');

/** How long an access token is valid, in seconds. */
export const tokenLifetime = 3600;

/** `clock` returns ms since 1970. */
export function createAccessTokens(database: DatabaseSync, clock: () => number) {
  const add = database.prepare(
    'INSERT INTO access_token (hash, username, expires) VALUES (?, ?, ?)',
  );
  const expire = database.prepare('DELETE FROM access_token WHERE expires <= ?');
  const find = database.prepare('SELECT username FROM access_token WHERE hash = ? AND expires > ?');
  return {
    issue(username: string) {
      expire.run(clock());
      const token = newToken();
      add.run(hashToken(token), username, clock() + tokenLifetime * 1000);
      return token;
    },
    /** The token's user; `undefined` if the token is unknown or has expired. */
    userOf(token: string) {
      const row = find.get(hashToken(token), clock());
      return row === undefined ? undefined : String(row.username);
    },
  };
}

/** How long a code is valid, in ms. */
const codeLifetime = 60_000;

/**
 * Authorization codes, in memory (RFC 6749, 4.1.2). `clock` returns ms since 1970. Any attempt to
 * redeem a code uses it up.
 */
export function createAuthorizationCodes(clock: () => number) {
  const codes = new Map<string, { username: string; redirectUri: string; expires: number }>();
  return {
    issue(username: string, redirectUri: string) {
      const code = newToken();
      codes.set(code, { username, redirectUri, expires: clock() + codeLifetime });
      return code;
    },
    /** The code's user; `undefined` if it's unknown, used, expired or was sent to another URI. */
    redeem(code: string, redirectUri: string) {
      const found = codes.get(code);
      codes.delete(code);
      const isValid = found?.redirectUri === redirectUri && found.expires > clock();
      return isValid ? found.username : undefined;
    },
  };
}
