import { afterEach, beforeEach, expect, test } from 'vitest';
import { drawSound } from '../../support/images/test-files.ts';
import {
  displayedPixels,
  patternPixels,
  pixelDifference,
  regionPixels,
} from '../../support/images/test-images.ts';
import { type DevServer, startDevServer } from '../../support/site/dev-server.ts';
import { astroPage } from '../../support/site/site-files.ts';
import { useSite } from '../../support/site/site-with-service.ts';

const bell = drawSound();

const setup = useSite('main-job', { files: { 'vessel.wav': bell } });
let server: DevServer | undefined;

beforeEach(() => setup.restore());

afterEach(stop);

async function start(): Promise<string> {
  server = await startDevServer(setup);
  return server.url;
}

async function stop(): Promise<void> {
  await server?.stop();
  server = undefined;
}

/** The images of a page, by their alt. */
async function pictures(url: string): Promise<Map<string, Uint8Array>> {
  const html = await (await fetch(url)).text();
  const found = Array.from(html.matchAll(/<img [^>]*>/g), async ([tag]) => {
    const src = /src="([^"]+)"/.exec(tag)?.[1] ?? '';
    const alt = /alt="([^"]+)"/.exec(tag)?.[1] ?? '';
    const response = await fetch(new URL(src, url));
    if (!response.ok) throw new Error(`${src}: ${response.status}`);
    return [alt, new Uint8Array(await response.arrayBuffer())] as const;
  });
  return new Map(await Promise.all(found));
}

/** Some bytes from the middle of the file that a page links to. */
async function partOfFile(url: string): Promise<string> {
  const html = await (await fetch(url)).text();
  const href = /<a data-media-asset="4715" href="([^"]*)"/.exec(html)?.[1] ?? '';
  const headers = { range: 'bytes=100-199' };
  const response = await fetch(new URL(href, url), { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return `${response.status} ${response.headers.get('content-range')} ${bytes.toString('hex')}`;
}

test('the dev server shows images and serves ranges of files, also from the cache after the service stops', {
  tags: ['slow'],
}, async () => {
  await setup.site.write('src/pages/bell.astro', astroPage('<MediaFile id={4715} name="Bell" />'));
  await setup.site.write('src/pages/404.astro', '<h1>Not found</h1>');
  const url = await start();
  const online = await pictures(`${url}/`);
  const part = await partOfFile(`${url}/bell/`);
  const hex = bell.subarray(100, 200).toString('hex');
  expect(part).toBe(`206 bytes 100-199/${bell.length} ${hex}`);
  const crop = await displayedPixels(online.get('The quay') ?? new Uint8Array());
  const quay = patternPixels({ width: 640, height: 480, seed: 1 });
  const region = regionPixels(quay, { x: 40, y: 20, width: 240, height: 160 });
  expect(pixelDifference(crop, region).mean).toBeLessThan(3);

  // A URL that no component has issued isn't found, and causes no request to the service.
  setup.requests();
  const address = '/_astro/media-asset/4711-0123456789abcdef-0123456789abcdef-harbour.webp';
  const missing = await fetch(url + address);
  expect(missing.status).toBe(404);
  expect(await missing.text()).toContain('Not found');
  expect(setup.requests()).toEqual([]);
  await stop();

  await setup.stopService();
  const again = await start();
  expect(await pictures(`${again}/`)).toEqual(online);
  expect(await partOfFile(`${again}/bell/`)).toBe(part);
  await setup.startService();
});

test('an unavailable asset shows a labelled placeholder of its size, and a wrong prop shows an error on its page', {
  tags: ['slow'],
}, async () => {
  await setup.deleteAsset('quay.png');
  await setup.site.edit('src/pages/quay.astro', 'width={300}', 'width={0}');
  const url = await start();
  const html = await (await fetch(`${url}/`)).text();
  expect(html).toContain('</html>');
  const [tag = ''] = /<img [^>]*alt="The quay"[^>]*>/.exec(html) ?? [];
  expect(tag).toContain('width="240" height="160"');
  const src = /src="([^"]+)"/.exec(tag)?.[1] ?? '';
  const response = await fetch(src);
  expect(response.headers.get('content-type')).toBe('image/svg+xml');
  expect(await response.text()).toContain('<b>The quay</b>');
  expect((await pictures(`${url}/`)).get('The whole harbour')).toBeDefined();

  const wrong = await (await fetch(`${url}/quay/`)).text();
  const { err } = await nextMessage(url, wrong);
  expect(err?.message).toContain('/quay/ (src/pages/quay.astro:9:5): asset 4712 has width=0');
  expect(err?.loc).toEqual({ file: setup.site.path('src/pages/quay.astro'), line: 9, column: 5 });
});

/**
 * The first message, after the greeting, that the dev server sends to a browser that opens a page.
 */
async function nextMessage(
  url: string,
  html: string,
): Promise<{
  type: string;
  err?: { message: string; loc?: { file: string; line: number; column: number } };
}> {
  const client = await (
    await fetch(url + (/src="([^"]*@vite\/client[^"]*)"/.exec(html)?.[1] ?? '/@vite/client'))
  ).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? '';
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  try {
    const { promise, resolve, reject } = Promise.withResolvers<{ type: string }>();
    socket.addEventListener('error', () => reject(new Error('The socket was refused.')));
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data));
      if (message.type !== 'connected') resolve(message);
    });
    return await promise;
  } finally {
    socket.close();
  }
}
