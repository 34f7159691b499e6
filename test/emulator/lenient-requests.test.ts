import { afterAll, describe, expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { drawTestImages } from '../support/images/test-images.ts';

const media = await drawTestImages([
  { path: 'ferry.png', width: 8, height: 6 },
  { path: 'quay.png', width: 8, height: 6 },
]);
const lenient = await startEmulator({ media });
const strict = await startEmulator({ media, strict: true });
afterAll(() => Promise.all([lenient.close(), strict.close()]));

const credentials = new URLSearchParams({
  ...{ grant_type: 'password', client_id: 'emulator', client_secret: 'emulator-secret' },
  ...{ username: 'editor', password: 'harbour' },
});
const answer = await fetch(`${lenient.url}/1/oauth2/token?${credentials}`, { method: 'POST' });
const { access_token } = (await answer.json()) as { access_token: string };
const strictAnswer = await fetch(`${strict.url}/1/oauth2/token?${credentials}`, { method: 'POST' });
const { access_token: strictToken } = (await strictAnswer.json()) as { access_token: string };

describe('a token request', () => {
  test.for([
    ['GET with a query', 'GET', '/1/oauth2/token'],
    ['GET without the version', 'GET', '/oauth2/token'],
    ['POST without the version', 'POST', '/oauth2/token'],
  ] as const)('can be a %s, unless the emulator is strict', async ([, method, path]) => {
    const taken = await fetch(`${lenient.url}${path}?${credentials}`, { method });
    expect(taken.status).toBe(200);
    expect(await taken.json()).toMatchObject({ token_type: 'Bearer' });
    const refused = await fetch(`${strict.url}${path}?${credentials}`, { method });
    expect(refused.status).toBe(404);
    // A secret in a URL isn't logged.
    expect(JSON.stringify(lenient.requests())).not.toContain('emulator-secret');
  });
});

function send(
  { url, token }: { url: string; token: string },
  path: string,
  body: unknown,
): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
const both = {
  lenient: { url: lenient.url, token: access_token },
  strict: { url: strict.url, token: strictToken },
};
const page = 'https://harbour.example/';
const usages = '/1/files/multiple/usages';
const full = {
  ...{ id: [4711], contact: 'Ada', date: '2026-11-01', amount: '3', description: 'd' },
  ...{ project: 'Harbour', types: ['web'], removed: 'false', web: { page, pageName: 'Home' } },
};

describe('a usage', () => {
  test.for<[string, string, object, object]>([
    ['has an amount as a number', usages, { ...full, amount: 3 }, { amount: '3' }],
    ['has one ID', usages, { ...full, id: 4711 }, {}],
    ['has IDs as texts', usages, { ...full, id: ['4711'] }, {}],
    [
      'leaves fields out',
      usages,
      { id: [4711], web: { page } },
      { amount: '1', contact: '', description: '', pageName: '', project: '', type: 'web' },
    ],
    [
      'has field names in another case',
      usages,
      { ID: [4711], Contact: 'Ada', Web: { Page: page, PAGENAME: 'Home' } },
      { contact: 'Ada', pageName: 'Home' },
    ],
    ['has its page beside the other fields', usages, { id: [4711], page }, {}],
    ['has further fields', usages, { ...full, source: 'cms' }, {}],
    ['is posted to its file', '/1/file/4711/usage', { web: { page } }, {}],
  ])('%s, unless the emulator is strict', async ([, path, body, expected]) => {
    lenient.reset();
    expect((await send(both.lenient, path, body)).status).toBe(200);
    const record = { asset: 4711, page, date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) };
    expect(lenient.usages()).toEqual([expect.objectContaining({ ...record, ...expected })]);
    expect(lenient.requests().at(-1)?.body).toBe(JSON.stringify(body));
    expect([400, 404]).toContain((await send(both.strict, path, body)).status);
    expect(strict.usages()).toEqual([]);
  });

  test('ends with a boolean', async () => {
    for (const emulator of [lenient, strict]) {
      const one = emulator === strict ? both.strict : both.lenient;
      await send(one, usages, full);
      expect(emulator.usages()).toHaveLength(1);
      await send(one, usages, { ...full, removed: true });
      expect(emulator.usages()).toEqual([]);
    }
  });

  test.for<[string, object]>([
    ['without an asset', { web: { page } }],
    ['with an ID that is none', { id: ['ferry'], web: { page } }],
    ['with an unknown date', { ...full, date: 'soon' }],
    ['with an amount that is no number', { ...full, amount: 'many' }],
    ['with a relative page', { id: [4711], web: { page: '/a/' } }],
  ])('%s is refused', async ([, body]) => {
    lenient.reset();
    expect((await send(both.lenient, usages, body)).status).toBe(400);
    expect(lenient.usages()).toEqual([]);
  });
});

test('an upload has field names in another case, and metadata keeps its own', async () => {
  const body = { FileName: 'boat.png', SIZE: 3, Folder: 1, altText: 'A boat' };
  const taken = await send(both.lenient, '/1/file', body);
  expect(taken.status).toBe(200);
  expect(await taken.json()).toMatchObject({ filename: 'boat.png', altText: 'A boat' });
  expect((await send(both.strict, '/1/file', body)).status).toBe(400);
});

test('fields are named in any case', async () => {
  const headers = { authorization: `Bearer ${access_token}` };
  const { url } = lenient;
  const listed = await fetch(`${url}/1/file/4711?fields=ID,fileName`, { headers });
  expect(await listed.json()).toEqual({ id: 4711, filename: 'ferry.png' });
});
