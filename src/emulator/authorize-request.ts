/** A request for authorization that can be put to the user (section 5.2, step 1). */
export interface AuthorizeRequest {
  readonly client: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
}

/** A request, or how to answer a wrong one. */
export type ReadAuthorizeRequest =
  | { readonly request: AuthorizeRequest }
  /** Told to the person only: nobody that can be trusted with a redirect has asked. */
  | { readonly problem: string }
  /** Told to whoever asked. */
  | { readonly redirect: string };

/** Longest `state`, in UTF-16 units: it goes into a header. */
const maxStateLength = 4000;

/**
 * Reads the parameters of the authorization page. A wrong `client_id` or `redirect_uri` is never
 * answered by a redirect (RFC 6749, 4.1.2.1); parameters that aren't known are ignored (3.1).
 *
 * @param known The client id that there is, and the addresses it may name besides loopback ones.
 */
export function readAuthorizeRequest(
  parameters: URLSearchParams,
  known: { clientId: string; redirectUris: string },
): ReadAuthorizeRequest {
  const clients = parameters.getAll('client_id');
  const addresses = parameters.getAll('redirect_uri');
  const client = clients[0] ?? '';
  const redirectUri = addresses[0] ?? '';
  if (clients.length !== 1) return { problem: 'The client_id must be given once.' };
  if (client !== known.clientId) return { problem: 'The client_id is not known here.' };
  if (addresses.length !== 1) return { problem: 'The redirect_uri must be given once.' };
  if (!isAllowed(redirectUri, known.redirectUris))
    return { problem: 'The redirect_uri is neither a loopback address nor one that is allowed.' };

  const states = parameters.getAll('state');
  const state = states.length === 1 && states[0] ? states[0] : undefined;
  if (states.length > 1 || (state?.length ?? 0) > maxStateLength)
    return failure({ redirectUri, error: 'invalid_request', description: 'state is not valid' });
  const types = parameters.getAll('response_type');
  if (types.length !== 1)
    return failure({
      redirectUri,
      state,
      error: 'invalid_request',
      description: 'response_type must be given once',
    });
  if (types[0] !== 'code')
    return failure({
      redirectUri,
      state,
      error: 'unsupported_response_type',
      description: 'response_type must be code',
    });
  return { request: { client, redirectUri, state } };
}

/** The redirect URI with an answer's parameters; its own query stays as it is. */
export function answerAddress(
  redirectUri: string,
  answer: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(answer).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}

function failure({
  redirectUri,
  state,
  error,
  description,
}: {
  redirectUri: string;
  state?: string | undefined;
  error: string;
  description: string;
}): { redirect: string } {
  const answer = { error, error_description: description, state };
  return { redirect: answerAddress(redirectUri, answer) };
}

/** A loopback address over http, of any port (RFC 8252, 7.3), or one of the list. */
function isAllowed(uri: string, list: string): boolean {
  // A URL parser drops line breaks and tabs, which must never get into a header.
  if (!/^[\x21-\x7e]{1,2000}$/.test(uri) || !URL.canParse(uri) || uri.includes('#')) return false;
  if (list.split(/\s+/).includes(uri)) return true;
  const { protocol, hostname, username, password } = new URL(uri);
  return (
    protocol === 'http:' &&
    ['127.0.0.1', '[::1]', 'localhost'].includes(hostname) &&
    username === '' &&
    password === ''
  );
}
