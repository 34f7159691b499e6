import { generateRandomState } from 'oauth4webapi';
import { listen } from '../../emulator/listen.ts';
import { isMediaAssetError } from '../../errors/errors.ts';
import { createMediaService, openTokenStore, type StoredTokens } from '../../service/index.ts';
import { reachService, readLastBuild, type ServiceFlags } from '../settings/site-settings.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';

/** The port is for the redirect. */
type LoginFlags = ServiceFlags & { readonly port: number };

const signIn = { kind: 'authorization-code' } as const;

/** The service, and the token store of sign-ins, even if a build would use other credentials. */
async function openSignIn(flags: ServiceFlags, terminal: Terminal) {
  const known = await readLastBuild(terminal);
  const { reached: settings } = reachService(flags, known, { signIn: true });
  const { baseUrl: service, clientId, tokens } = settings;
  const { environment } = known;
  const store = openTokenStore({ service, clientId, credentials: signIn, ...tokens, environment });
  if (store === undefined) throw new Error('A sign-in has no token store.');
  return { settings, store };
}

/** Shows where to sign in. The redirect returns the code to a local port, or the user pastes it. */
export async function login(flags: LoginFlags, terminal: Terminal): Promise<ExitCode> {
  const { settings, store } = await openSignIn(flags, terminal);
  // Fail for an unusable store before the browser opens. Tokens that can't be decrypted are replaced.
  await store
    .update(async (stored) => stored)
    .catch((error: unknown) => {
      if (!isMediaAssetError(error, 'token-key-wrong')) throw error;
    });
  const { tokens: _, ...rest } = settings;
  const service = createMediaService({ ...rest, credentials: signIn, tokenStore: store });
  const state = generateRandomState();
  const ended = new AbortController();
  const done = Promise.withResolvers<StoredTokens>();
  // The first result wins and ends the other ways.
  done.promise.catch(() => {});

  async function exchange(callbackUrl: string): Promise<void> {
    try {
      const answer = { callbackUrl, state, redirectUri };
      done.resolve(await service.signIn.exchangeCode(answer));
    } catch (error) {
      // Any program on this machine can call the port, so an invalid callback ends nothing.
      if (!isMediaAssetError(error, 'sign-in-callback-invalid')) done.reject(error);
      throw error;
    }
  }

  async function paste(): Promise<void> {
    const question = 'If the browser runs elsewhere, paste the code or the URL that it ends on: ';
    for (;;) {
      const answer = await terminal.ask(question, { signal: ended.signal });
      // At the end of the input no one can paste, but the browser may still return.
      if (answer === undefined) return;
      const text = answer.trim();
      if (text === '') continue;
      const isAddress = /^https?:\/\//i.test(text);
      const query = new URLSearchParams({ code: text, state });
      try {
        await exchange(isAddress ? text : `${redirectUri}?${query}`);
        return;
      } catch (error) {
        if (!isMediaAssetError(error, 'sign-in-callback-invalid', 'argument-invalid')) return;
        terminal.note(error.message);
      }
    }
  }

  const callback = await receiveCallback(flags.port, exchange);
  const { redirectUri } = callback;
  const stop = () => done.reject(terminal.signal.reason);
  terminal.signal.addEventListener('abort', stop, { once: true });
  try {
    const address = service.signIn.authorizationUrl({ redirectUri, state });
    terminal.note(`Open this URL and sign in:\n\n  ${address}\n`);
    void paste().catch(done.reject);
    const tokens = await done.promise;
    if (settings.credentials.kind !== 'authorization-code') {
      terminal.note('The environment also has credentials, which take precedence over these.');
    }
    const { refreshToken, expiresAt } = tokens;
    const expires = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
    const until = expires === null ? 'as long as the service accepts it' : `until ${expires}`;
    const renewable = refreshToken !== undefined;
    const validity = renewable ? 'Tokens are renewed as needed.' : `The sign-in is valid ${until}.`;
    const { baseUrl } = settings;
    terminal.print(
      { service: baseUrl, store: store.name, expires, renewable },
      () => `Signed in to ${baseUrl}. ${validity}\nThe tokens are kept in ${store.name}.`,
    );
    return exitCodes.done;
  } catch (error) {
    if (!terminal.signal.aborted) throw error;
    terminal.note('Canceled.');
    return exitCodes.ended;
  } finally {
    terminal.signal.removeEventListener('abort', stop);
    ended.abort();
    // Answers in progress come first.
    await callback.close(1000);
  }
}

/** Only deletes the tokens here. The interface has no call to revoke them. */
export async function logout(flags: ServiceFlags, terminal: Terminal): Promise<void> {
  const { settings, store } = await openSignIn(flags, terminal);
  const { baseUrl: service } = settings;
  await store.update(async () => undefined);
  terminal.print(
    { service, store: store.name },
    () => `Signed out of ${service}: ${store.name} has no tokens of it.`,
  );
}

/**
 * Listens on 127.0.0.1 until closed. Passes each callback to `onCallback`, and shows success or the
 * error's message in the browser. Later callbacks still count after an error. Port 0 is a free one.
 */
async function receiveCallback(port: number, onCallback: (callbackUrl: string) => Promise<void>) {
  const nothing = 'Nothing to see here. This address only receives sign-ins.';
  const done = 'You are signed in. You can close this tab and go back to the terminal.';
  const failed = "You aren't signed in. Go back to the terminal and try again.";
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    if (pathname !== '/callback') return answer(404, nothing);
    if (request.method !== 'GET') return answer(405, nothing);
    try {
      await onCallback(redirectUri + search);
      return answer(200, done);
    } catch (error) {
      return answer(400, isMediaAssetError(error) ? `${failed}\n${error.message}` : failed);
    }
  };
  const server = await listen({ fetch }, port);
  const redirectUri = `http://127.0.0.1:${server.port}/callback`;
  return { redirectUri, close: server.close };
}

/** An answer in plain text, because the request may come from anyone. */
function answer(status: number, text: string): Response {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  };
  return new Response(text, { status, headers });
}
