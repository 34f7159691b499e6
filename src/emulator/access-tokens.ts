import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

export interface AccessTokens {
  /** A new token for a user; `expiresIn` is in whole seconds, at least 1. */
  issue(username: string): { token: string; expiresIn: number };
  /** The user that a token was given to; undefined for a token that is unknown or has expired. */
  userOf(token: string): string | undefined;
  /** Every token given so far stops working. */
  clear(): void;
}

/**
 * Access tokens, kept as hashes: they stay valid over a restart, and the database holds none that
 * could be used.
 *
 * @param lifetime In seconds, of a token that is issued now.
 * @param clock Milliseconds since 1970.
 */
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
  const hash = (token: string): string => createHash('sha256').update(token).digest('hex');
  return {
    issue(username) {
      expire.run(clock());
      const token = randomBytes(32).toString('base64url');
      const seconds = lifetime();
      add.run(hash(token), username, clock() + seconds * 1000);
      return { token, expiresIn: Math.max(1, Math.floor(seconds)) };
    },
    userOf(token) {
      const row = find.get(hash(token), clock());
      return row === undefined ? undefined : String(row.username);
    },
    clear() {
      database.exec('DELETE FROM access_token');
    },
  };
}
