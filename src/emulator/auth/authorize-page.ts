import { html, raw } from 'hono/html';
import { type Html, pageLayout } from '../page/page-layout.ts';

/** A request for authorization that can be put to the user (section 5.2, step 1). */
export interface AuthorizeRequest {
  readonly client: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
}

/**
 * The form that asks the user: who asks, sign-in, and allow or deny.
 *
 * @param problem What was wrong with the sign-in before this one.
 */
export function authorizePage({
  request: { client, redirectUri, state },
  username = '',
  problem,
}: {
  request: AuthorizeRequest;
  username?: string | undefined;
  problem?: string | undefined;
}): Html {
  return pageLayout({
    title: 'Allow access?',
    main: html`<div class="sign-in">
<h1>Allow access?</h1>
<p><strong>${client}</strong> wants to see and change the files of the library in your name. Your answer goes to <strong>${new URL(redirectUri).host}</strong>.</p>
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

/** What a person sees whose request for authorization can't be answered to anyone else. */
export function authorizeProblemPage(problem: string): Html {
  return pageLayout({
    title: 'This sign-in can’t go on',
    main: html`<div class="sign-in">
<h1>This sign-in can’t go on</h1>
<p role="alert">${problem}</p>
<p>Go back to where you came from, and start again there.</p>
</div>`,
  });
}
