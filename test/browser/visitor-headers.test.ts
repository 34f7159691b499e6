import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLiveSite } from '../../src/cli/withdrawal/live-site.ts';
import type { Published } from '../../src/usage/ledger/publication-history.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { type LocalServer, startLocalServer } from '../support/service/local-server.ts';

describeInBrowser('the requests of `withdraw`', () => {
  const browser = useBrowser();
  let server: LocalServer;
  let seen: Map<string, IncomingHttpHeaders>;
  const image = '/_astro/harbour.webp';
  const stampText = 'a build';
  const online: Readonly<Record<string, string>> = {
    '/': `<link rel="icon" href="data:,"><img src="${image}">`,
    '/_astro/stamp.txt': stampText,
  };

  beforeAll(async () => {
    server = await startLocalServer(({ url = '', headers }, response) => {
      const key = `${headers['sec-fetch-dest']} ${url}`;
      if (headers['accept-encoding']?.includes('br')) seen.set(key, headers);
      const found = online[url];
      response.writeHead(found ? 200 : 404, { 'content-type': 'text/html' });
      response.end(found ?? 'Not found');
    });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    seen = new Map();
  });

  /** Without versions, what older ones don't accept, made-up brands, and what only headless ones do. */
  const shapeOf = ({ 'accept-language': _, ...headers }: IncomingHttpHeaders = {}) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        String(value)
          .replace(/"Not[^,]*(?:, )?|, "(?:Not|Headless)[^,]*/g, '')
          .replace('HeadlessChrome', 'Chrome')
          .replace('image/jxl,', '')
          .replace(/\d+(?:\.\d+){3} Safari|(?<=;v=")\d+/g, 'N'),
      ]),
    );

  test('are those of the browser here, for an image on a page and for one that is opened', async () => {
    const page = await browser.open({ baseURL: server.url });
    await page.goto(`${server.url}/`);
    await page.goto(`${server.url}${image}`);
    browser.problems();
    const kinds = ['document /', `image ${image}`, `document ${image}`];
    const visitor = kinds.map((key) => shapeOf(seen.get(key)));
    expect(visitor.map(({ accept }) => accept?.slice(0, 5))).toEqual(['text/', 'image', 'text/']);
    seen = new Map();
    const hash = createHash('sha256').update(stampText).digest('hex');
    const published = (kind: Published['kind'], path: string): Published => {
      const time = '2026-03-01T08:00:00.000Z';
      return { kind, url: server.url + path, id: 4711, hash, first: time, last: time };
    };
    const file = published('file', image);
    const others = [published('page', '/'), published('stamp', '/_astro/stamp.txt')];
    const live = createLiveSite([file, ...others], server.url);
    await live.page(`${server.url}/`, 1);
    await live.file(file);
    expect(kinds.map((key) => shapeOf(seen.get(key)))).toEqual(visitor);
  });
});
