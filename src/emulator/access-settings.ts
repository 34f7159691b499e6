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
   * Refresh token that the `refresh_token` grant accepts.
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
  /**
   * Addresses that the authorization page may send people to besides loopback ones, with spaces
   * between them.
   * @default ''
   */
  redirectUris: z
    .string()
    .max(10_000)
    .refine(
      (text) => text.split(/\s+/).every((uri) => uri === '' || URL.canParse(uri)),
      'expected absolute URLs with spaces between them',
    )
    .default('')
    .describe('addresses that sign-in may lead to, besides loopback ones'),
  /**
   * How long an authorization code is valid, in seconds; may be a fraction.
   * @default 60
   */
  codeLifetime: z
    .number()
    .positive()
    .max(600)
    .default(60)
    .describe('seconds that an authorization code is valid'),
  /**
   * How the parameters of a token call must come: as a form, as JSON, in the query, or in any way.
   * @default 'any'
   */
  tokenEncoding: z
    .enum(['any', 'form', 'json', 'query'])
    .default('any')
    .describe('encoding that the token call accepts'),
  /**
   * The refresh token of a token answer: always that of the settings; a new one each time, a used
   * one being refused; none.
   * @default 'fixed'
   */
  refreshTokens: z
    .enum(['fixed', 'rotated', 'none'])
    .default('fixed')
    .describe('refresh token of a token answer'),
  /**
   * Form of `expires_in` in a token answer.
   * @default 'number'
   */
  expiresIn: z
    .enum(['number', 'text', 'missing'])
    .default('number')
    .describe('form of expires_in in a token answer'),
};
