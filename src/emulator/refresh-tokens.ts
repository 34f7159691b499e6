import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { EmulatorSettings } from './settings.ts';

export interface RefreshTokens {
  /** The refresh token for a token answer; undefined where there is none. */
  issue(): string | undefined;
  /** Whether a token may be used, and, where they rotate, uses it up. */
  accept(token: string): boolean;
}

/**
 * The refresh tokens: the one of the settings, and where they rotate one for each token answer, kept
 * as a hash. A rotated token is refused for good once it has been used.
 */
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
  const hash = (token: string): string => createHash('sha256').update(token).digest('hex');
  return {
    issue() {
      const { refreshToken, refreshTokens } = settings();
      switch (refreshTokens) {
        case 'fixed':
          return refreshToken;
        case 'none':
          return undefined;
        case 'rotated': {
          const token = randomBytes(32).toString('base64url');
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
