const texts = {
  done: ['You are signed in', 'You can close this tab and go back to the terminal.'],
  failed: ['You are not signed in', 'The terminal says more. Begin again there.'],
  missing: ['There is nothing here', 'Only a sign-in comes back to this address.'],
} as const;

/** The page that a browser shows after a sign-in. `said` is text of any kind. */
export function callbackPage(kind: keyof typeof texts, said = ''): string {
  const [title, text] = texts[kind];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f3f5f4; color: #1c2b2a; font: 1.05rem/1.6 system-ui, sans-serif; }
  main { max-width: 28rem; margin: 1rem; padding: 2.5rem; background: #fff; border-radius: 1rem; box-shadow: 0 .5rem 2rem #1c2b2a1a; border-top: .35rem solid ${kind === 'done' ? '#2a7d6b' : '#b4552d'}; }
  h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.3; }
  p { margin: .5rem 0 0; overflow-wrap: anywhere; }
  @media (prefers-color-scheme: dark) { body { background: #121a19; color: #e4ecea; } main { background: #1d2827; } }
</style>
<main>
<h1>${title}</h1>
${said && `<p>${toHtml(said)}</p>\n`}<p>${text}</p>
</main>
</html>
`;
}

function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
