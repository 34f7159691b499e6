import { noticeOf } from '../../errors/author-words.ts';
import { isMediaAssetError } from '../../errors/errors.ts';

const problems: Partial<Record<string, string>> = {
  'sign-in-refused': 'The media service refused the sign-in, or you didn’t allow access.',
  'sign-in-callback-invalid': 'This sign-in has expired, or was started in another window.',
  'credentials-refused':
    'The media service refused this sign-in. If that happens again, ask the people who run this website.',
};

/** What a person sees at the end of a sign-in. @param failure why it failed, if it did */
export function signInPage(failure?: unknown): { body: string; status: number; policy: string } {
  const nonce = crypto.randomUUID();
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
  const page = (title: string, content: string) =>
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><h1>${title}</h1>${content}`;
  if (failure === undefined) {
    // The pages of the site go on, also if the service's page has cut the window off.
    const script = "new BroadcastChannel('media-asset-sign-in').postMessage('done'); close();";
    const content = `<p>You can close this window.</p><script nonce="${nonce}">${script}</script>`;
    return { body: page('You’re signed in', content), status: 200, policy };
  }
  const { code, message } = noticeOf(failure);
  const known = isMediaAssetError(failure) ? message : 'Something went wrong on this website.';
  const text = (problems[code] ?? known).replace(/[<>&"]/g, (one) => `&#${one.charCodeAt(0)};`);
  const content = `<p>${text}</p><p><a href="sign-in">Sign in again</a></p>`;
  return { body: page('You aren’t signed in', content), status: 400, policy };
}
