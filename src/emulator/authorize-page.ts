import { html, raw } from 'hono/html';
import type { AuthorizeRequest } from './authorize-request.ts';

type Html = ReturnType<typeof html>;

const style = `
  :root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 45%, transparent); --accent: light-dark(#0b5cad, #8ec5ff); }
  body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 100vh; margin: 0; padding: 1.5rem; box-sizing: border-box; }
  main { width: 100%; max-width: 24rem; }
  h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .75rem; text-wrap: balance; }
  p { margin: 0 0 1rem; overflow-wrap: anywhere; }
  label { display: block; margin: 0 0 .25rem; font-weight: 600; }
  input { display: block; width: 100%; box-sizing: border-box; margin: 0 0 1rem; padding: .6rem .75rem; font: inherit; border: 1px solid var(--line); border-radius: .375rem; background: transparent; color: inherit; }
  .actions { display: flex; gap: .75rem; margin-top: .5rem; }
  button { flex: 1; padding: .6rem; font: inherit; font-weight: 600; border: 1px solid var(--line); border-radius: .375rem; background: transparent; color: inherit; cursor: pointer; }
  button[value=allow] { background: var(--accent); border-color: var(--accent); color: light-dark(#fff, #04203c); }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  [role=alert] { padding: .6rem .75rem; border-left: 4px solid light-dark(#b3261e, #ff8a80); background: color-mix(in srgb, light-dark(#b3261e, #ff8a80) 10%, transparent); }
  .quiet { font-size: .875rem; opacity: .75; }
`;

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
  return page(
    'Allow access?',
    html`<p><strong>${client}</strong> wants to see and change the files of the library in your name. Your answer goes to <strong>${new URL(redirectUri).host}</strong>.</p>
${problem === undefined ? '' : html`<p role="alert" id="problem">${problem}</p>`}
<form method="post" action="/authorize">
<input type="hidden" name="response_type" value="code">
<input type="hidden" name="client_id" value="${client}">
<input type="hidden" name="redirect_uri" value="${redirectUri}">
${state === undefined ? '' : html`<input type="hidden" name="state" value="${state}">`}
<label for="username">User</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"${problem === undefined ? '' : raw(' aria-describedby="problem" aria-invalid="true"')}>
<div class="actions">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</div>
</form>
<p class="quiet">This is the emulator of a Media Asset Service, on this machine.</p>`,
  );
}

/** What a person sees whose request for authorization can't be answered to anyone else. */
export function authorizeProblemPage(problem: string): Html {
  return page(
    'This sign-in can’t go on',
    html`<p role="alert">${problem}</p>
<p>Go back to where you came from, and start again there.</p>`,
  );
}

function page(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} – Media Asset Service</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}
