import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sendRequest } from '../../../src/service/http/send-request.ts';
import { failureOf } from '../scripted-service.ts';

// This name only resolves through pinning.
const host = 'cdn.media-asset.invalid';
const { signal } = new AbortController();
const pinned = { addresses: ['127.0.0.1'], headers: { 'if-none-match': '"1"' }, signal };

test("requests the checked addresses with the host's name", async () => {
  const hello = Promise.withResolvers<string>();
  const server = createTcpServer((socket) => {
    socket.once('data', (bytes) => {
      hello.resolve(bytes.toString('latin1'));
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = new URL(`https://${host}:${port}/x`);
  expect(await failureOf(sendRequest(url, pinned))).toMatchObject({ code: 'ECONNRESET' });
  expect(await hello.promise).toContain(host);
});

const openssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!openssl)('with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];

  beforeAll(() => {
    execFileSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', key, '-out', cert, '-days', '2', '-subj', `/CN=${host}`],
      ...['-addext', `subjectAltName=DNS:${host}`],
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function serveTls(respond: RequestListener) {
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, respond);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return { server, url: new URL(`https://${host}:${port}/signed?s=1`) };
  }

  test('refuses an untrusted certificate', async () => {
    const { url } = await serveTls((_, response) => void response.end());
    expect(await failureOf(sendRequest(url, pinned))).toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });

  describe('with a trusted certificate', () => {
    beforeAll(() => setDefaultCACertificates([readFileSync(cert, 'utf8')]));

    test('answers like fetch', async () => {
      const { url } = await serveTls((request, response) => {
        const { host, 'if-none-match': tag } = request.headers;
        response.writeHead(200, { 'content-type': 'text/plain', etag: '"2"' });
        response.end(`${host} ${request.url} ${tag}`);
      });
      const response = await sendRequest(url, pinned);
      expect(response.status).toBe(200);
      expect(response.headers.get('etag')).toBe('"2"');
      expect(await response.text()).toBe(`${url.host} /signed?s=1 "1"`);
    });

    test("doesn't follow redirects, and accepts an answer without a body", async () => {
      for (const status of [302, 304, 204]) {
        const { url } = await serveTls((_, response) =>
          response.writeHead(status, { location: 'https://10.0.0.1/' }).end(),
        );
        const response = await sendRequest(url, pinned);
        expect(response.status).toBe(status);
        expect(await response.text()).toBe('');
      }
    });

    test('ends when the signal fires', async () => {
      const { url } = await serveTls(() => {});
      const signal = AbortSignal.timeout(50);
      expect(await failureOf(sendRequest(url, { ...pinned, signal }))).toMatchObject({
        name: 'AbortError',
      });
    });

    test('reuses a connection', async () => {
      const { server, url } = await serveTls((_, response) => void response.end('x'));
      let connections = 0;
      server.on('secureConnection', () => {
        connections += 1;
      });
      for (let turn = 0; turn < 3; turn += 1) await (await sendRequest(url, pinned)).text();
      expect(connections).toBe(1);
    });
  });
});
