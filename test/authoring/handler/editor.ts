import {
  createLibraryHandler,
  type LibraryHandlerOptions,
} from '../../../src/authoring/handler/create-library-handler.ts';
import type {
  AssetDetails,
  AssetsAnswer,
  Notice,
} from '../../../src/authoring/toolbar/protocol.ts';
import type { SettingChanges } from '../../support/bends/bent-emulator.ts';

/** The emulator sends people back to this machine alone. */
export const site = 'http://127.0.0.1:4321';
export const url = `${site}/api/media`;
export const cookieSecret = 'a secret of the site with enough characters';
/** What the picker's script sends. */
export const own = { 'x-media-asset-toolbar': '1', 'sec-fetch-site': 'same-origin' };

/** The answers of a service about lists and records. */
export const answerForms: readonly SettingChanges[] = [
  {},
  { folderTree: 'nested', folderTreeAnswer: 'wrapped' },
  { folderTree: 'flat-parent', folderTreeAnswer: 'wrapped' },
  { folderTree: 'flat-depth' },
  { fileListAnswer: 'wrapped' },
  { paging: 'page', pageSize: 1 },
  { paging: 'offset', pageSize: 1, fileListAnswer: 'wrapped' },
  { paging: 'next', pageSize: 1 },
  { paging: 'next', pageSize: 1, fileListAnswer: 'wrapped' },
  { fileRecord: 'array' },
  { recordCall: 'missing' },
  { listedFields: 'id,name' },
  { fieldNames: 'lower case' },
];

type Answer = { error?: Notice; after?: number } & Partial<AssetDetails & AssetsAnswer>;

export const handlerOf = (
  service: { url: string },
  options: Partial<LibraryHandlerOptions> = {},
): ((request: Request) => Promise<Response>) =>
  createLibraryHandler({
    ...{ url, cookieSecret },
    service: { baseUrl: service.url, clientId: 'emulator', clientSecret: 'emulator-secret' },
    ...options,
  });

/** An editor's browser: it keeps cookies, and sends what a page of the site sends. */
export function openEditor(handler: ReturnType<typeof handlerOf>) {
  const cookies = new Map<string, string>();

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...own, cookie, ...init.headers };
    const answer = await handler(new Request(`${url}/_media-asset/${path}`, { ...init, headers }));
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0;/.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  /** Goes to the service's page and allows access. Returns the address of the callback. */
  async function allow(decision = 'allow'): Promise<string> {
    const started = await ask('sign-in', { headers: { 'sec-fetch-site': 'same-origin' } });
    const page = new URL(started.headers.get('location') ?? '');
    const user = { username: 'editor', password: 'harbour', decision };
    const form = new URLSearchParams({ ...Object.fromEntries(page.searchParams), ...user });
    const action = `${page.origin}${page.pathname}`;
    const sent = await fetch(action, { method: 'POST', body: form, redirect: 'manual' });
    return sent.headers.get('location') ?? '';
  }
  const callback = (address: string) =>
    ask(address.slice(address.indexOf('callback')), {
      headers: { 'sec-fetch-site': 'cross-site' },
    });

  return {
    ...{ ask, allow, callback, cookies },
    /** The JSON of an answer, with its status. */
    async json(path: string, init?: RequestInit): Promise<Answer & { status: number }> {
      const answer = await ask(path, init);
      return { status: answer.status, ...((await answer.json()) as Answer) };
    },
    async signIn() {
      const page = await callback(await allow());
      return { status: page.status, text: await page.text(), headers: page.headers };
    },
  };
}
