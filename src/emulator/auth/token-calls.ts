import type { App, EmulatorState } from '../emulator-state.ts';
import { readTokenParameters, TokenError } from './token-parameters.ts';
import { tokenLifetime } from './tokens.ts';

/** The token call with its three grants (sections 5.2 to 5.5). */
export function addTokenCalls(app: App, emulator: EmulatorState): void {
  const { settings, tokens } = emulator;
  app.post('/1/oauth2/token', (c) => {
    const parameters = readTokenParameters(c);
    const isClient =
      parameters.get('client_id') === settings.clientId &&
      parameters.get('client_secret') === settings.clientSecret;
    if (!isClient)
      throw new TokenError('invalid_client', 'The client ID or client secret is wrong.');

    const user = grantToken(parameters, emulator);
    const state = parameters.get('state');
    const answer = {
      access_token: tokens.issue(user),
      refresh_token: settings.refreshToken,
      token_type: 'Bearer',
      expires_in: tokenLifetime,
      ...(state !== undefined && { state }),
    };
    return c.json(answer, 200, { 'Cache-Control': 'no-store' });
  });
}

/** Required parameters of each grant, except the client's (sections 5.2 to 5.4). */
const required = new Map([
  ['authorization_code', ['code', 'redirect_uri']],
  ['refresh_token', ['refresh_token']],
  ['password', ['username', 'password']],
]);

/** The user who gets the token. */
function grantToken(
  parameters: ReadonlyMap<string, string>,
  { settings, codes }: EmulatorState,
): string {
  const { username, password, refreshToken } = settings;
  const type = parameters.get('grant_type');
  if (type === undefined) throw new TokenError('invalid_request', 'grant_type is missing.');
  const needed = required.get(type);
  if (needed === undefined)
    throw new TokenError('unsupported_grant_type', `Use ${[...required.keys()].join(', ')}.`);
  const missing = needed.filter((name) => !parameters.has(name));
  if (missing.length > 0) throw new TokenError('invalid_request', `${missing.join(', ')} missing.`);

  const value = (name: string): string => parameters.get(name) ?? '';
  if (type === 'password') {
    if (value('username') === username && value('password') === password) return username;
    throw new TokenError('invalid_grant', 'The user name or password is wrong.');
  }
  if (type === 'refresh_token') {
    if (value('refresh_token') === refreshToken) return username;
    throw new TokenError('invalid_grant', 'The refresh token is invalid or was already used.');
  }
  const user = codes.redeem(value('code'), value('redirect_uri'));
  if (user !== undefined) return user;
  const problem = 'The code is invalid, used or expired, or belongs to another redirect_uri.';
  throw new TokenError('invalid_grant', problem);
}
