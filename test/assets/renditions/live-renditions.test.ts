import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createLiveRenditions } from '../../../src/assets/renditions/live-renditions.ts';
import type { Finding } from '../../../src/errors/errors.ts';
import { startLocalServer } from '../../support/service/local-server.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Takes images 1 to `count` from a site. Each is its number. */
async function takeAll(count: number, answer: (id: number, response: ServerResponse) => void) {
  const asked: number[] = [];
  const site = await startLocalServer((request, response) => {
    const id = Number(request.url?.slice(1));
    asked.push(id);
    answer(id, response);
  });
  onTestFinished(site.close);
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const published = new Map(
    ids.map((id) => [String(id), { url: `${site.url}/${id}`, hash: hashOf(String(id)) }]),
  );
  const findings: Finding[] = [];
  const live = createLiveRenditions({
    published: async () => published,
    onFinding: (found) => findings.push(found),
  });
  const taken = await Promise.all([...ids, 0].map((id) => live.take(String(id))));
  return {
    asked: asked.length,
    taken: taken.map((bytes) => bytes?.toString() ?? ''),
    codes: findings.map(({ code }) => code),
    messages: findings.map(({ message }) => message),
    count: live.count(),
  };
}

const missing = (response: ServerResponse) => response.writeHead(404).end();

test('images that the site has are taken, others are missing', async () => {
  const found = await takeAll(40, (id, response) =>
    id % 2 ? response.end(String(id)) : missing(response),
  );
  expect(found.taken).toEqual([
    ...Array.from({ length: 40 }, (_, index) => (index % 2 ? '' : String(index + 1))),
    '',
  ]);
  expect(found).toMatchObject({ asked: 40, count: 20, codes: [] });
});

test.each<[name: string, answer: (response: ServerResponse) => void]>([
  ['none of the images', missing],
  ['other bytes under all URLs', (response) => response.end('x')],
])('a site with %s is asked a few times', async (_, answer) => {
  const { asked, count, codes } = await takeAll(200, (_, response) => answer(response));
  expect(count).toBe(0);
  // Those that are under way end too.
  expect(asked).toBeLessThan(30);
  expect(codes).toEqual(['live-site-unusable']);
});

test.each<[answer: string, answer: (response: ServerResponse) => void]>([
  ['status 429', (response) => response.writeHead(429).end()],
  [
    'an HTML page instead of an image',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('1'),
  ],
  ['no answer (', (response) => response.destroy()],
])('a site that answers with %s is left, and the reason is named', async (reason, answer) => {
  const { count, messages } = await takeAll(1, (_, response) => answer(response));
  expect(count).toBe(0);
  expect(messages).toEqual([expect.stringContaining(reason)]);
});

test.each<[name: string, failing: number, count: number, codes: string[]]>([
  ['some failures between images', 7, 171, []],
  ['failures in a row', 1, 100, ['live-site-unusable']],
])('a site with %s', async (_, every, least, expected) => {
  const { count, codes } = await takeAll(200, (id, response) =>
    id > 100 && id % every === 0 ? response.writeHead(429).end() : response.end(String(id)),
  );
  expect(count).toBeGreaterThanOrEqual(least);
  expect(count).toBeLessThan(200);
  expect(codes).toEqual(expected);
});

test('a body without an end is left', async () => {
  const megabyte = Buffer.alloc(1024 * 1024);
  let sent = 0;
  const { count, asked } = await takeAll(1, (_, response) => {
    const send = () => {
      for (let isReady = true; isReady && !response.destroyed; sent += 1)
        isReady = response.write(megabyte);
      response.once('drain', send);
    };
    send();
  });
  expect({ count, asked }).toEqual({ count: 0, asked: 1 });
  // Some of it is still on its way.
  expect(sent).toBeLessThan(64);
});
