import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/emulator/library/open-database.ts';
import { createRequestLog } from '../../src/emulator/request-log.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { startService } from '../support/service/start-service.ts';

const emulator = await startService([{ path: 'quay.png', width: 90, height: 60 }]);
const token = await emulator.signIn();

beforeEach(() => emulator.clearLog());

describe('the log', () => {
  test('has a request as soon as its answer arrives', async () => {
    for (let count = 1; count <= 20; count++) {
      await (await emulator.fetch('/1/file/4711/usage?fields=any')).arrayBuffer();
      const log = emulator.log();
      expect(log.filter(({ status }) => status === 200)).toHaveLength(log.length);
    }
  });

  test('keeps the bytes of a usage request', async () => {
    const body =
      '{ "id":[4711],"contact":"Ännä \\u00e9","date":"2026-03-04","amount":"1",\n"description":"password",' +
      '"project":"p","types":["web"],"removed":"false","web":{"page":"https://x.example/?code=1","pageName":"🛟"}}';
    await emulator.fetch('/1/files/multiple/usages', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body,
    });
    const [entry] = emulator.log();
    expect(entry).toMatchObject({
      method: 'POST',
      path: '/1/files/multiple/usages',
      query: '',
      body,
      status: 200,
    });
    expect(Buffer.from(entry?.rawBody ?? [])).toEqual(Buffer.from(body));
    expect(entry?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer <token>',
    });
    expect(Date.parse(entry?.time ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  test('continues its numbers after a restart', async () => {
    await emulator.fetch('/1/none');
    const before = emulator.log().at(-1)?.sequence ?? 0;
    await emulator.restart('SIGKILL');
    await fetch(`${emulator.url}/1/none`);
    expect(emulator.log().at(-1)?.sequence).toBe(before + 1);
  });

  test('includes refused requests, unless they name another host', async () => {
    const post = { method: 'POST', body: 'x'.repeat(2 ** 20 + 1) };
    await Promise.allSettled([
      fetch(`${emulator.url}/1/none`),
      fetch(emulator.url, post),
      rawStatus('evil.example'),
    ]);
    expect(
      emulator
        .log()
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual([401, 413]);
  });

  test('includes a request whose client disconnected, without a status', async () => {
    const socket = connect(emulator.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /1/file HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf');
    await (await fetch(`${emulator.url}/1/none`)).arrayBuffer();
    socket.destroy();
    await expect
      .poll(() => emulator.log().find(({ path }) => path === '/1/file'))
      .toMatchObject({ body: 'half', status: null });
  });
});

describe('secrets are left out', () => {
  const secrets = { client_secret: 's3 cret/ü', password: 'p&ss+word', refresh_token: 'r=fresh' };
  const parameters = { grant_type: 'password', client_id: 'emulator', username: 'x', ...secrets };
  const form = new URLSearchParams(parameters).toString();

  test.each([
    [
      'a form',
      { body: form, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      '',
    ],
    [
      'JSON',
      { body: JSON.stringify(parameters), headers: { 'Content-Type': 'application/json' } },
      '',
    ],
    [
      'broken JSON',
      { body: `{${JSON.stringify(parameters)}`, headers: { 'Content-Type': 'application/json' } },
      '',
    ],
    ['a query', {}, form],
    ['a form in disguise', { body: form, headers: { 'Content-Type': 'text/plain' } }, ''],
    ['Basic credentials', { headers: { Authorization: `Basic ${btoa('emulator:zecret')}` } }, ''],
    ['a cookie', { headers: { Cookie: 'session=p&ss+word' } }, ''],
  ])('in %s', async (_, init, query) => {
    for (const path of ['/1/oauth2/token', '/oauth2/token'])
      await (await fetch(`${emulator.url}${path}?${query}`, { method: 'POST', ...init })).text();
    const text = JSON.stringify(emulator.log());
    expect(emulator.log()).toHaveLength(2);
    const raw = [...Object.values(secrets), btoa('emulator:zecret')];
    for (const secret of [...raw, ...raw.map(encodeURIComponent), 's3+cret'])
      expect(text).not.toContain(secret);
  });

  test('and the bodies of other calls keep all their bytes', async () => {
    const database = openDatabase(await temporaryFolder('log'));
    const log = createRequestLog(database, Date.now);
    fc.assert(
      fc.property(fc.uint8Array(), (body) => {
        const call = { method: 'POST', path: '/1/files/multiple/usages', query: 'a=1', body };
        const headers = { authorization: 'Token abc', accept: '*/*' };
        log.clear();
        log.arrived({ ...call, headers });
        const { body: rawBody, ...others } = call;
        const shown = { authorization: '<token>', accept: '*/*' };
        expect(log.list()).toMatchObject([{ ...others, rawBody, headers: shown }]);
      }),
    );
    database.close();
  });
});

/** Sends a request with a custom Host header, which fetch doesn't allow. Returns the status. */
async function rawStatus(host: string): Promise<number | undefined> {
  const sent = httpRequest({ port: emulator.port, host: '127.0.0.1', headers: { host } });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}
