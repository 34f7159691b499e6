/** @module-tag slow */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DevServer, startDevServer } from '../../support/site/dev-server.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('markdown');
const built = useSite('markdown');
let server: DevServer;

beforeAll(async () => {
  server = await startDevServer(setup);
});

afterAll(() => server?.stop());

const html = async (path: string) => (await fetch(server.url + path)).text();

const entry = 'src/content/notes/knot.md';
const patience = { timeout: 20_000, interval: 500 };

/** Astro can miss a change to an entry while it handles another one. People save again. */
async function savedAgain(): Promise<string> {
  await setup.site.write(entry, await setup.site.read(entry));
  return html('/notes/knot/');
}

async function sizesOf(path: string): Promise<number[]> {
  const urls = (await html(path)).match(/\/_astro\/media-asset\/[^\s"]+(?=[\s"])/g) ?? [];
  return Promise.all(
    urls.map(async (url) => (await (await fetch(server.url + url)).arrayBuffer()).byteLength),
  );
}

test('pages and entries show their images, and follow an edit', async () => {
  for (const [path, count] of [
    ['/rope/', 16],
    ['/notes/knot/', 3],
    ['/notes/net/', 1],
  ] as const) {
    const sizes = await sizesOf(path);
    expect(sizes).toHaveLength(count);
    expect(Math.min(...sizes)).toBeGreaterThan(50);
  }

  await setup.site.edit('src/pages/rope.md', 'The quay](media:4712', 'The tower](media:4714');
  await expect.poll(() => html('/rope/')).toContain('alt="The tower"');
  await setup.site.edit(entry, '4711?crop=', '4712?crop=');
  await expect.poll(savedAgain, patience).toContain('data-media-asset="4712"');
  expect(Math.min(...(await sizesOf('/notes/knot/')))).toBeGreaterThan(50);
});

test('entries show their images in each session after a build', async () => {
  await built.replaceAsset('report.pdf', Buffer.from('%PDF-1.7\n%%EOF\n'));
  await outputOf(built.build());
  for (const session of [1, 2]) {
    const dev = await startDevServer(built);
    try {
      const page = await (await fetch(`${dev.url}/notes/knot/`)).text();
      const [url = ''] = page.match(/\/_astro\/media-asset\/[^\s"]+(?=[\s"])/) ?? [];
      const { status } = await fetch(dev.url + url);
      expect({ session, status }).toEqual({ session, status: 200 });
    } finally {
      await dev.stop();
    }
  }
});

test('an unavailable asset shows a labelled placeholder, and a mistake its message', async () => {
  await setup.site.edit(entry, '4712?crop=', '4999?crop=');
  await expect.poll(savedAgain, patience).toMatch(/src="data:image\/svg\+xml,[^"]*asset%204999/);
  await setup.site.edit(entry, '?crop=', '?corp=');
  await expect
    .poll(savedAgain, patience)
    .toContain('alt="src/content/notes/knot.md:5: Unknown parameter');
  // A repeated mistake is logged again.
  await setup.site.edit(entry, '?corp=', '?crop=');
  await expect.poll(savedAgain, patience).toContain('asset-unknown');
  expect(server.output()).toContain('Then save the file to load the image again');
  await setup.site.edit(entry, '?crop=', '?corp=');
  await expect.poll(savedAgain, patience).toContain('Unknown parameter');
  await expect
    .poll(() => server.output().split('[parameter-unknown]').length, patience)
    .toBeGreaterThanOrEqual(3);
  expect(server.output()).toContain('asset 4999');
  expect(server.output()).toContain(
    'Unknown parameter `corp` of asset 4999. Did you mean `crop`? Valid parameters: crop,',
  );
  expect(server.output()).toContain('[parameter-unknown]');
});
