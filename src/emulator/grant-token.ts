import type { EmulatorState } from './emulator-state.ts';

/** Who gets a token, or why nobody does. */
export type Granted = { user: string } | { error: GrantError; description: string };

/** RFC 6749, 5.2. */
export type GrantError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type';

type GrantType = 'authorization_code' | 'refresh_token' | 'password';

/** What each grant needs beside the client: sections 5.2 to 5.4. */
const required: Readonly<Record<GrantType, readonly string[]>> = {
  authorization_code: ['code', 'redirect_uri'],
  refresh_token: ['refresh_token'],
  password: ['username', 'password'],
};

/** Carries out the grant that the parameters of a token call name; the client is known by now. */
export function grantToken(
  parameters: ReadonlyMap<string, string>,
  { settings: current, codes, refreshTokens }: EmulatorState,
): Granted {
  const settings = current();
  const type = parameters.get('grant_type');
  if (type === undefined)
    return { error: 'invalid_request', description: 'grant_type is missing.' };
  if (!isGrantType(type))
    return {
      error: 'unsupported_grant_type',
      description: `Use ${Object.keys(required).join(', ')}.`,
    };
  const missing = required[type].filter((name) => !parameters.has(name));
  if (missing.length > 0)
    return { error: 'invalid_request', description: `${missing.join(', ')} missing.` };

  const value = (name: string): string => parameters.get(name) ?? '';
  const wrong = (description: string): Granted => ({ error: 'invalid_grant', description });
  switch (type) {
    case 'password': {
      const right =
        value('username') === settings.username && value('password') === settings.password;
      return right ? { user: settings.username } : wrong('The user or the password is wrong.');
    }
    case 'refresh_token':
      return refreshTokens.accept(value('refresh_token'))
        ? { user: settings.username }
        : wrong('The refresh token is wrong, or was used before.');
    case 'authorization_code': {
      const binding = { client: settings.clientId, redirectUri: value('redirect_uri') };
      const user = codes.redeem(value('code'), binding);
      return user === undefined
        ? wrong('The code is wrong, used or old, or was given for another redirect_uri.')
        : { user };
    }
  }
}

function isGrantType(text: string): text is GrantType {
  return Object.hasOwn(required, text);
}
