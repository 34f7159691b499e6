import { expect, onTestFinished, test } from 'vitest';
import { checkTokenless } from '../../../src/assets/sources/check-tokenless.ts';
import type { Finding } from '../../../src/errors/errors.ts';
import { startLocalServer } from '../../support/service/local-server.ts';

/** What the check finds at a service that redirects there, and the paths that it was asked for. */
async function check(location: string) {
  const asked: (string | undefined)[] = [];
  const service = await startLocalServer(({ url }, response) => {
    asked.push(url);
    if (url !== '/start') return void response.setHeader('content-type', 'image/png').end('…');
    response.writeHead(302, { location }).end();
  });
  onTestFinished(service.close);
  const findings: Finding[] = [];
  await checkTokenless(`${service.url}/start`, (found) => findings.push(found));
  return { asked, findings: findings.map(({ message }) => message) };
}

test('a redirect to the same host is followed', async () => {
  expect(await check('/image.png')).toEqual({ asked: ['/start', '/image.png'], findings: [] });
});

test('a redirect to another port of this machine is followed', async () => {
  const other = await startLocalServer((_, response) => void response.end('…'));
  onTestFinished(other.close);
  expect((await check(`${other.url}/`)).findings).toEqual([]);
});

test.each([
  ['https://10.0.0.8/a.png', "https://10.0.0.8 isn't followed: the host isn't public"],
  ['https://169.254.169.254/', "https://169.254.169.254 isn't followed: the host isn't public"],
  ['http://files.example/', "http://files.example isn't followed: the URL isn't https"],
  ['https://me:pass@files.example/', 'the URL contains credentials'],
  ['file:///etc/passwd', "the URL isn't https"],
])('a redirect to %s is a finding, and gets no request', async (location, reason) => {
  const { asked, findings } = await check(location);
  expect(asked).toEqual(['/start']);
  expect(findings).toEqual([expect.stringContaining(reason)]);
  expect(findings[0]).toContain('/start got no answer (its redirect to ');
});

test('a redirect that never ends is a finding', async () => {
  const { asked, findings } = await check('/start');
  expect(asked).toHaveLength(6);
  expect(findings).toEqual([expect.stringContaining('status 302')]);
});

test.each([
  ['image/png', 200, []],
  ['text/html; charset=utf-8', 200, [expect.stringContaining('got an HTML page, so')]],
  ['image/png', 403, [expect.stringContaining('got status 403, so')]],
])('%s with %i is a finding unless visitors see an image', async (type, status, expected) => {
  const service = await startLocalServer((_, response) => {
    response.writeHead(status, { 'content-type': type }).end('…');
  });
  onTestFinished(service.close);
  const findings: string[] = [];
  await checkTokenless(`${service.url}/`, ({ message }) => findings.push(message));
  expect(findings).toEqual(expected);
});
