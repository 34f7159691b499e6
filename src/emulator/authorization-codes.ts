import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** What a code was given out for; the token call must say the same. */
interface CodeBinding {
  readonly client: string;
  readonly redirectUri: string;
}

export interface AuthorizationCodes {
  /** A new code for a user. */
  issue(username: string, binding: CodeBinding): string;
  /** The user of a code, once: undefined for a code that is unknown, used, old or another's. */
  redeem(code: string, binding: CodeBinding): string | undefined;
}

/**
 * Authorization codes (RFC 6749, 4.1.2), kept as hashes. An attempt to redeem a code uses it up,
 * whether or not the binding is right.
 *
 * @param lifetime In seconds, of a code that is issued now.
 * @param clock Milliseconds since 1970.
 */
export function createAuthorizationCodes({
  database,
  lifetime,
  clock,
}: {
  database: DatabaseSync;
  lifetime: () => number;
  clock: () => number;
}): AuthorizationCodes {
  const add = database.prepare(
    `INSERT INTO authorization_code (hash, client, redirect_uri, username, expires)
      VALUES (?, ?, ?, ?, ?)`,
  );
  const expire = database.prepare('DELETE FROM authorization_code WHERE expires <= ?');
  const take = database.prepare('DELETE FROM authorization_code WHERE hash = ? RETURNING *');
  const hash = (code: string): string => createHash('sha256').update(code).digest('hex');
  return {
    issue(username, { client, redirectUri }) {
      const code = randomBytes(24).toString('base64url');
      add.run(hash(code), client, redirectUri, username, clock() + lifetime() * 1000);
      return code;
    },
    redeem(code, { client, redirectUri }) {
      expire.run(clock());
      const row = take.get(hash(code));
      if (row?.client !== client || row.redirect_uri !== redirectUri) return undefined;
      return String(row.username);
    },
  };
}
