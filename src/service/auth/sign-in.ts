import { AuthorizationResponseError, validateAuthResponse } from 'oauth4webapi';
import { mediaAssetError } from '../../errors/errors.ts';
import { checkArgument, checkRequest } from '../calls/check-argument.ts';
import { shorten } from '../http/read-answer.ts';
import * as requests from '../requests.ts';

/** The URL of the authorization page (section 5.2, step 1). Throws `argument-invalid`. */
export function authorizationUrl(
  { authUrl, clientId }: { authUrl: string; clientId: string },
  given: requests.AuthorizationRequest,
): string {
  const place = 'signIn.authorizationUrl()';
  const { redirectUri, state } = checkRequest(place, requests.authorizationRequest, given);
  const own = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri };
  return `${authUrl}/authorize?${new URLSearchParams({ ...own, state })}`;
}

/**
 * Checks the callback and returns its code (section 5.2, step 2).
 *
 * @throws `argument-invalid`; `sign-in-callback-invalid` if it doesn't belong to this request;
 * `sign-in-refused` with the service's reason
 */
export function readCallback(
  { authUrl, clientId }: { authUrl: string; clientId: string },
  given: requests.AuthorizationAnswer,
): { code: string; redirectUri: string } {
  // A callback holds the code, so errors don't show it.
  const schema = requests.authorizationAnswer;
  const check = { place: 'signIn.exchangeCode()', name: 'answer', schema, isSecret: true };
  const { callbackUrl, state, redirectUri } = checkArgument(check, given);
  const callback = new URL(callbackUrl);
  const redirect = new URL(redirectUri);
  if (callback.origin !== redirect.origin || callback.pathname !== redirect.pathname) {
    throw invalid("its URL isn't the redirect URI of this sign-in");
  }
  const parameters = callback.searchParams;
  // The interface names no issuer to compare it with.
  parameters.delete('iss');
  try {
    validateAuthResponse({ issuer: authUrl }, { client_id: clientId }, parameters, state);
  } catch (error) {
    if (!(error instanceof AuthorizationResponseError)) {
      throw invalid('its state belongs to another sign-in, or a parameter is missing or repeated');
    }
    const { error_description: said } = error;
    const reason = shorten(said ? `${said} (${error.error})` : error.error);
    throw mediaAssetError('sign-in-refused', { reason });
  }
  const [code, ...more] = parameters.getAll('code');
  if (!code || more.length > 0) throw invalid("it doesn't contain exactly one code");
  return { code, redirectUri };
}

function invalid(problem: string) {
  return mediaAssetError('sign-in-callback-invalid', { problem });
}
