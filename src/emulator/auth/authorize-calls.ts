import type { Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { CallEnvironment, EmulatorState } from '../emulator-state.ts';
import { type Html, pageHeaders, pageLayout } from '../page/page-layout.ts';
import type { EmulatorSettings } from '../settings.ts';

/** The authorization page of section 5.2, step 1, and its form. */
export function addAuthorizeCalls(
  app: Hono<CallEnvironment>,
  { settings, codes }: EmulatorState,
): void {
  app.on(['GET', 'POST'], '/authorize', (c) => {
    const isForm = c.req.method === 'POST';
    const form = isForm
      ? new URLSearchParams(new TextDecoder().decode(c.get('body')))
      : new URL(c.req.url).searchParams;
    const request = readAuthorizeRequest(form, settings.clientId);
    if ('problem' in request)
      return c.html(authorizeProblemPage(request.problem), 400, pageHeaders());
    const { client, redirectUri, state } = request;
    // Browsers apply form-action to the redirect after the form, too.
    const headers = pageHeaders(new URL(redirectUri).origin);
    if (!isForm) return c.html(authorizePage(request, settings), 200, headers);
    const answer = (parameters: Record<string, string>): Response => {
      const url = new URL(redirectUri);
      const given = { ...parameters, ...(state && { state }) };
      for (const [name, value] of Object.entries(given)) url.searchParams.append(name, value);
      // 303, because a 307 would send the password to the redirect URI.
      return c.redirect(url.href, 303);
    };

    const decision = form.get('decision');
    if (decision === 'deny')
      return answer({ error: 'access_denied', error_description: 'The user denied access' });
    const username = form.get('username') ?? '';
    const isUser = username === settings.username && form.get('password') === settings.password;
    if (decision === 'allow' && isUser)
      return answer({ code: codes.issue(username, { client, redirectUri }) });
    const problem = isUser ? 'Choose Allow or Deny.' : 'The user name or password is wrong.';
    return c.html(authorizePage(request, settings, { username, problem }), 403, headers);
  });
}

/**
 * Reads the parameters of the authorization page. A wrong one is a problem to show to the user, and
 * never redirects. Unknown parameters are ignored (RFC 6749, 3.1).
 */
function readAuthorizeRequest(
  parameters: URLSearchParams,
  clientId: string,
): AuthorizeRequest | { readonly problem: string } {
  const client = parameters.get('client_id') ?? '';
  const redirectUri = parameters.get('redirect_uri') ?? '';
  if (client !== clientId) return { problem: 'Pass a client_id that this service knows.' };
  if (!isLoopbackUri(redirectUri))
    return { problem: 'Pass a redirect_uri with a loopback address.' };
  if (parameters.get('response_type') !== 'code') return { problem: 'Pass response_type=code.' };
  return { client, redirectUri, state: parameters.get('state') || undefined };
}

/** Whether it's a loopback address with http, on any port (RFC 8252, 7.3). */
function isLoopbackUri(uri: string): boolean {
  // URL parsers drop line breaks and tabs, which mustn't get into a header.
  const url = /^[\x21-\x7e]{1,2000}$/.test(uri) && !uri.includes('#') && URL.parse(uri);
  if (!url || url.username || url.password) return false;
  return url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname);
}

interface AuthorizeRequest {
  readonly client: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
}

/** `problem` says why the last attempt failed. */
function authorizePage(
  { client, redirectUri, state }: AuthorizeRequest,
  valid: Pick<EmulatorSettings, 'username' | 'password'>,
  { username = '', problem }: { username?: string; problem?: string } = {},
): Html {
  return pageLayout({
    title: 'Allow access?',
    main: html`<div class="sign-in">
<h1>Allow access?</h1>
<p><strong>${client}</strong> wants to view and change the library’s files on your behalf. You will return to <strong>${new URL(redirectUri).host}</strong>.</p>
<p class="quiet">This emulator’s user is <strong>${valid.username}</strong>, with the password <strong>${valid.password}</strong>.</p>
${problem === undefined ? '' : html`<p role="alert" id="problem">${problem}</p>`}
<form method="post" action="/authorize">
<input type="hidden" name="response_type" value="code">
<input type="hidden" name="client_id" value="${client}">
<input type="hidden" name="redirect_uri" value="${redirectUri}">
${state === undefined ? '' : html`<input type="hidden" name="state" value="${state}">`}
<label>User
<input name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" autofocus></label>
<label>Password
<input name="password" type="password" autocomplete="current-password"${problem === undefined ? '' : raw(' aria-describedby="problem" aria-invalid="true"')}></label>
<div class="actions">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</div>
</form>
</div>`,
  });
}

function authorizeProblemPage(problem: string): Html {
  return pageLayout({
    title: 'This sign-in can’t continue',
    main: html`<div class="sign-in">
<h1>This sign-in can’t continue</h1>
<p role="alert">${problem}</p>
<p>Go back and start the sign-in again.</p>
</div>`,
  });
}
