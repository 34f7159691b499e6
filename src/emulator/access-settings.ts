import { z } from 'zod';

const secret = z.string().min(1).max(1000);

/** Who may sign in, and what tokens are like. */
export const accessSettings = {
  /**
   * Client id that the token call accepts.
   * @default 'emulator'
   */
  clientId: secret.default('emulator').describe('client id that may sign in'),
  /**
   * Client secret that belongs to the client id.
   * @default 'emulator-secret'
   */
  clientSecret: secret.default('emulator-secret').describe('its client secret'),
  /**
   * User of the `password` grant; usages are created in this name.
   * @default 'editor'
   */
  username: secret.default('editor').describe('user that may sign in'),
  /**
   * Password of the user.
   * @default 'harbour'
   */
  password: secret.default('harbour').describe("the user's password"),
  /**
   * Refresh token that the `refresh_token` grant accepts. It is never replaced.
   * @default 'emulator-refresh-token'
   */
  refreshToken: secret
    .default('emulator-refresh-token')
    .describe('refresh token that is accepted and given out'),
  /**
   * How long an access token is valid, in seconds; may be a fraction.
   * @default 3600
   */
  tokenLifetime: z
    .number()
    .positive()
    .max(31_536_000)
    .default(3600)
    .describe('seconds that an access token is valid'),
};
