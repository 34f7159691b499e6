import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listAssetUsages, listLibrary } from '../../../src/usage/reconcile/list-usages.ts';
import {
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
} from '../../service/scripted-service.ts';

const tree = [
  { id: 1, name: 'Harbour', depth: 0 },
  { id: 2, name: 'Boats', depth: 1 },
  { id: 3, name: 'Ferries', depth: 2 },
  { id: 4, name: 'Quays', depth: 0 },
];
const files: Readonly<Record<string, readonly number[]>> = { 1: [], 2: [12, 4], 3: [4, 7], 4: [1] };

/** A service with these folders; `odd` answers for some of them. */
function library(odd: Readonly<Record<string, Respond>> = {}) {
  return startScriptedService({
    async respond(response, request) {
      const [, folder = ''] = /^\/1\/folder\/(\d+)\//.exec(request.url) ?? [];
      const own = odd[folder || 'tree'];
      if (own) return own(response, request);
      const found = files[folder]?.map((id) => ({ id }));
      json(response, folder ? { files: found, total: found?.length } : tree);
    },
  });
}

const refuse =
  (status: number): Respond =>
  (response) =>
    json(response, { error: 'no' }, status);

test('the library is every asset of every folder, once each, processed or not', async () => {
  const { url, requests } = await library();
  const told: string[] = [];
  const { ids, findings } = await listLibrary(scriptedClient(url), {
    onProgress: ({ done, total }) => told.push(`${done}/${total}`),
  });
  expect({ ids, findings }).toEqual({ ids: [1, 4, 7, 12], findings: [] });
  expect(told).toEqual(['1/4', '2/4', '3/4', '4/4']);
  expect(requests.map((request) => request.url).sort()).toEqual([
    '/1/folder/1/files?fields=id&type=any',
    '/1/folder/2/files?fields=id&type=any',
    '/1/folder/3/files?fields=id&type=any',
    '/1/folder/4/files?fields=id&type=any',
    '/1/foldertree?fields=all',
  ]);
});

test.each([403, 404, 410, 422])(
  'a folder that is refused with %i is named, and the others are read',
  async (status) => {
    const { url } = await library({ 3: refuse(status) });
    const { ids, findings } = await listLibrary(scriptedClient(url));
    expect(ids).toEqual([1, 4, 12]);
    const message = expect.stringContaining('folder 3 ');
    expect(findings).toMatchObject([{ code: 'listing-refused', asset: undefined, message }]);
  },
);

test.each<[string, string[], number, string]>([
  ['a folder', ['3'], 500, 'service-failed'],
  ['every folder', ['1', '2', '3', '4'], 403, 'request-forbidden'],
  ['every folder', ['1', '2', '3', '4'], 404, 'request-refused'],
  ['the folder tree', ['tree'], 404, 'request-refused'],
  ['the folder tree', ['tree'], 503, 'service-failed'],
])('%s (%j) with the answer %i fails with %s', async (_, which, status, code) => {
  const odd = which.map((one) => [one, refuse(status)]);
  const { url } = await library(Object.fromEntries(odd));
  const service = scriptedClient(url, { attempts: 1 });
  await expect(listLibrary(service)).rejects.toMatchObject({ code });
});

test.each(['tree', '3'])(
  'a signal ends it while it waits for %s, and the error says so',
  async (which) => {
    const ended = new AbortController();
    const { url } = await library({ [which]: () => ended.abort() });
    const run = listLibrary(scriptedClient(url), { signal: ended.signal });
    await expect(run).rejects.toMatchObject({ code: 'listing-ended' });
  },
);

test('a listing asks nothing more after its first failure', async () => {
  const { url, requests } = await library();
  const ids = Array.from({ length: 20 }, (_, n) => n + 1);
  let tries = 0;
  const beforeEach = async () => {
    tries += 1;
    throw new Error('The lease was lost.');
  };
  const listing = listAssetUsages(scriptedClient(url), ids, { beforeEach });
  await expect(listing).rejects.toThrow('The lease was lost.');
  await setImmediate();
  expect(tries).toBeLessThan(ids.length);
  expect(requests).toEqual([]);
});

test("a list that a page answers in place of the service is unread, and no sign that there's no such call", async () => {
  const respond: Respond = (response, { url }) => {
    if (!url.includes('/file/2/')) return json(response, []);
    response.writeHead(404).end('<html>Not found</html>');
  };
  const service = scriptedClient((await startScriptedService({ respond })).url);
  const { listing, findings } = await listAssetUsages(service, [1, 2]);
  expect([...listing]).toEqual([[1, []]]);
  expect(findings).toMatchObject([{ asset: 2, details: { answer: 'in an unknown form' } }]);
  await expect(listAssetUsages(service, [2])).rejects.toMatchObject({ code: 'request-refused' });
});

test('a library whose only folder is refused is an error, not an empty library', async () => {
  const { url } = await library({
    tree: (response) => json(response, tree.slice(0, 1)),
    1: refuse(403),
  });
  await expect(listLibrary(scriptedClient(url))).rejects.toMatchObject({ status: 403 });
});
