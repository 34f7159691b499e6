import { createHash, randomBytes } from 'node:crypto';

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const newToken = () => randomBytes(32).toString('base64url');

/** How long an access token is valid, in seconds. */
export const tokenLifetime = 3600;

/** Access tokens, in memory. `clock` returns ms since 1970. */
export function createAccessTokens(clock: () => number) {
  const tokens = new Map<string, { username: string; expires: number }>();
  return {
    issue(username: string) {
      const token = newToken();
      tokens.set(token, { username, expires: clock() + tokenLifetime * 1000 });
      return token;
    },
    /** The token's user; `undefined` if the token is unknown or has expired. */
    userOf(token: string) {
      const found = tokens.get(token);
      return found && found.expires > clock() ? found.username : undefined;
    },
  };
}

/** How long a code is valid, in ms. */
const codeLifetime = 60_000;

/** Authorization codes (RFC 6749, 4.1.2). `clock` returns ms since 1970. A code works once. */
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
