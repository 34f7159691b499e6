import { createButton, createElement } from '../crop-editor/create-element.ts';
import type { Notice, Size } from '../toolbar/protocol.ts';

export type SignIn = ReturnType<typeof createSignIn>;

/** Requests to a handler that wait until an editor has signed in, in a window of its own. */
export function createSignIn(base: string) {
  const root = `${base.replace(/\/$/, '')}/_media-asset/`;
  const shownWhile = new Map<HTMLElement, () => boolean>();
  let channel: BroadcastChannel | undefined;
  let waiting: PromiseWithResolvers<void> | undefined;
  let [showsOriginals, hasHandler, signIns] = [false, false, 0];

  function show(): void {
    for (const [element, isShown] of shownWhile) {
      if (!element.isConnected) shownWhile.delete(element);
      element.hidden = !isShown();
    }
  }

  /** For an element that is in the page soon. */
  function follow(element: HTMLElement, isShown: () => boolean): void {
    element.hidden = !isShown();
    shownWhile.set(element, isShown);
  }

  function signedIn(): Promise<void> {
    waiting ??= Promise.withResolvers();
    channel ??= new BroadcastChannel('media-asset-sign-in');
    channel.onmessage = () => {
      signIns += 1;
      waiting?.resolve();
      waiting = undefined;
      show();
    };
    show();
    return waiting.promise;
  }

  /** Like `fetch`, but asks again after a renewal or a sign-in. */
  async function send(...[url, options]: Parameters<typeof fetch>): Promise<Response> {
    for (let renewals = 0; ; ) {
      const before = signIns;
      const answer = await fetch(url, options);
      showsOriginals ||= answer.headers.has('X-Media-Asset-Original');
      hasHandler ||= answer.headers.has('X-Media-Asset-Handler');
      show();
      if (answer.status !== 401) return answer;
      const refusal = answer
        .clone()
        .json()
        .catch(() => ({}));
      const { error, after }: { error?: Notice; after?: number } = await refusal;
      // On a slow line, a token can end before its turn. One that's refused each time is another matter.
      if (error?.code === 'session-stale' && renewals++ < 3) {
        // One at a time, for all requests and tabs: what renews a session may work only once.
        await navigator.locks.request('media-asset-session', () =>
          fetch(`${root}session.json?after=${after}`, { headers: options?.headers ?? {} }),
        );
      } else if (!error) return answer;
      // An answer can come after the sign-in that it asks for.
      else if (signIns === before) await signedIn();
    }
  }

  return {
    send,
    /** The size as displayed, in pixels, of an image that is the original. */
    async sizeOf(url: string): Promise<Size | undefined> {
      if (!showsOriginals) return undefined;
      const image = new Image();
      image.src = url;
      await image.decode();
      return { width: image.naturalWidth, height: image.naturalHeight };
    },
    /** Shows a button while an editor is signed in. The dev server knows no editors. */
    showSignOut: (button: HTMLElement) => follow(button, () => hasHandler && !waiting),
    ask: () => void signedIn(),
    /** Asks for the sign-in while a request waits for it. */
    createNotice(): HTMLElement {
      const text = createElement('p', {}, 'Sign in to use the images of the media library.');
      const href = `${root}sign-in`;
      const begin = () => {
        if (open(href, 'media-asset-sign-in', 'popup,width=520,height=680')) return;
        const tab = createElement('a', { href, target: '_blank' }, 'Sign in in a new tab');
        text.replaceChildren('Your browser has blocked the window. ', tab, '.');
      };
      const button = createButton('Sign in', begin);
      const notice = createElement('div', { class: 'notice', role: 'status' }, text, button);
      follow(notice, () => waiting !== undefined);
      return notice;
    },
  };
}
