import type { Hono } from 'hono';
import { authorizePage, authorizeProblemPage } from './authorize-page.ts';
import { type AuthorizeRequest, answerAddress, readAuthorizeRequest } from './authorize-request.ts';
import type { Call, CallEnvironment, EmulatorState } from './emulator-state.ts';
import { pageHeaders } from './page-layout.ts';

/** The authorization page of section 5.2, step 1, and its form. */
export function addAuthorizeCalls(
  app: Hono<CallEnvironment>,
  { settings, codes }: EmulatorState,
): void {
  app.get('/authorize', (c) => {
    const read = readAuthorizeRequest(new URL(c.req.url).searchParams, settings());
    if ('problem' in read) return show(c, authorizeProblemPage(read.problem), { status: 400 });
    if ('redirect' in read) return c.redirect(read.redirect, 302);
    return show(c, authorizePage(read), { request: read.request });
  });

  app.post('/authorize', (c) => {
    const form = new URLSearchParams(new TextDecoder().decode(c.get('body')));
    const read = readAuthorizeRequest(form, settings());
    if ('problem' in read) return show(c, authorizeProblemPage(read.problem), { status: 400 });
    if ('redirect' in read) return c.redirect(read.redirect, 303);
    const { request } = read;
    const { client, redirectUri, state } = request;
    const answer = (parameters: Record<string, string>): Response =>
      // 303: a 307 would send the password on to whoever asked.
      c.redirect(answerAddress(redirectUri, { ...parameters, state }), 303);

    const decision = form.get('decision');
    if (decision === 'deny')
      return answer({ error: 'access_denied', error_description: 'The user has denied it' });
    const username = form.get('username') ?? '';
    const problem = problemOf({ decision, username, password: form.get('password') ?? '' });
    if (problem !== undefined)
      return show(c, authorizePage({ request, username, problem }), { request, status: 403 });
    return answer({ code: codes.issue(username, { client, redirectUri }) });
  });

  const problemOf = ({
    decision,
    username,
    password,
  }: {
    decision: string | null;
    username: string;
    password: string;
  }): string | undefined => {
    if (decision !== 'allow') return 'Choose whether to allow it.';
    const right = username === settings().username && password === settings().password;
    return right ? undefined : 'The user or the password is wrong.';
  };
}

function show(
  c: Call,
  page: ReturnType<typeof authorizePage>,
  { request, status = 200 }: { request?: AuthorizeRequest; status?: 200 | 400 | 403 },
): Response | Promise<Response> {
  // Browsers hold the redirect after the form to form-action too.
  return c.html(page, status, pageHeaders(request && sourceOf(request.redirectUri)));
}

/** A redirect URI as a source of a content security policy, which knows no IPv6 addresses. */
function sourceOf(redirectUri: string): string {
  const { protocol, origin, hostname } = new URL(redirectUri);
  return hostname.startsWith('[') || origin === 'null' ? protocol : origin;
}
