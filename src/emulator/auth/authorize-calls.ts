import { html, raw } from 'hono/html';
import type { App, EmulatorState } from '../emulator-state.ts';
import { type Html, pageHeaders, pageLayout } from '../page/page-layout.ts';
import type { EmulatorSettings } from '../settings.ts';

/** The authorization page of section 5.2, step 1, and its form. */
export function addAuthorizeCalls(app: App, { settings, codes }: EmulatorState): void {
  app.on(['GET', 'POST'], '/authorize', (c) => {
    const isForm = c.req.method === 'POST';
    const form = isForm
      ? new URLSearchParams(new TextDecoder().decode(c.get('body')))
      : new URL(c.req.url).searchParams;
    const wrong = problemIn(form, settings.clientId);
    if (wrong !== undefined) {
      const title = 'This sign-in can’t continue';
      const main = html`<div class="sign-in">
<h1>${title}</h1>
<p role="alert">${wrong}</p>
<p>Go back and start the sign-in again.</p>
</div>`;
      return c.html(pageLayout({ title, main }), 400, pageHeaders());
    }
    const redirectUri = form.get('redirect_uri') ?? '';
    // Browsers apply form-action to the redirect after the form, too.
    const headers = pageHeaders(new URL(redirectUri).origin);
    if (!isForm) return c.html(authorizePage(form, settings), 200, headers);
    const answer = (parameters: Record<string, string>): Response => {
      const url = new URL(redirectUri);
      const state = form.get('state');
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
    if (decision === 'allow' && isUser) return answer({ code: codes.issue(username, redirectUri) });
    const problem = isUser ? 'Choose Allow or Deny.' : 'The user name or password is wrong.';
    return c.html(authorizePage(form, settings, problem), 403, headers);
  });
}

/** What's wrong with the parameters, for the user. Unknown ones are ignored (RFC 6749, 3.1). */
function problemIn(parameters: URLSearchParams, clientId: string): string | undefined {
  if (parameters.get('client_id') !== clientId) return 'Pass a client_id that this service knows.';
  if (!isLoopbackUri(parameters.get('redirect_uri') ?? ''))
    return 'Pass a redirect_uri with a loopback address.';
  return parameters.get('response_type') === 'code' ? undefined : 'Pass response_type=code.';
}

/** Whether it's a loopback address with http, on any port (RFC 8252, 7.3). */
function isLoopbackUri(uri: string): boolean {
  // URL parsers drop line breaks and tabs, which mustn't get into a header.
  const url = /^[\x21-\x7e]{1,2000}$/.test(uri) && !uri.includes('#') && URL.parse(uri);
  if (!url || url.username || url.password) return false;
  return url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname);
}

/** `problem` says why the last attempt failed. */
function authorizePage(
  form: URLSearchParams,
  { clientId, ...valid }: EmulatorSettings,
  problem?: string,
): Html {
  const redirectUri = form.get('redirect_uri') ?? '';
  const state = form.get('state');
  const username = problem === undefined ? '' : form.get('username');
  return pageLayout({
    title: 'Allow access?',
    main: html`<div class="sign-in">
<h1>Allow access?</h1>
<p><strong>${clientId}</strong> wants to view and change the library’s files on your behalf. You will return to <strong>${new URL(redirectUri).host}</strong>.</p>
<p class="quiet">This emulator’s user is <strong>${valid.username}</strong>, with the password <strong>${valid.password}</strong>.</p>
${problem === undefined ? '' : html`<p role="alert" id="problem">${problem}</p>`}
<form method="post" action="/authorize">
<input type="hidden" name="response_type" value="code">
<input type="hidden" name="client_id" value="${clientId}">
<input type="hidden" name="redirect_uri" value="${redirectUri}">
${state ? html`<input type="hidden" name="state" value="${state}">` : ''}
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
