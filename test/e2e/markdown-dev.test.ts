import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DevServer, startDevServer } from '../support/dev-server.ts';
import { type Harbour, openHarbour } from '../support/harbour.ts';

let harbour: Harbour;
let server: DevServer;

beforeAll(async () => {
  harbour = await openHarbour('markdown');
  server = await startDevServer(harbour);
});

afterAll(async () => {
  await server?.stop();
  await harbour.close();
});

const html = async (path: string) => (await fetch(server.url + path)).text();

async function sizesOf(path: string): Promise<number[]> {
  const urls = (await html(path)).match(/\/_astro\/media-asset\/[^\s"]+(?=[\s"])/g) ?? [];
  return Promise.all(
    urls.map(async (url) => (await (await fetch(server.url + url)).arrayBuffer()).byteLength),
  );
}

test('pages and entries show their pictures, and follow an edit', async () => {
  for (const [path, count] of [
    ['/rope/', 12],
    ['/notes/knot/', 3],
    ['/notes/net/', 1],
  ] as const) {
    const sizes = await sizesOf(path);
    expect(sizes).toHaveLength(count);
    expect(Math.min(...sizes)).toBeGreaterThan(50);
  }

  await harbour.site.edit('src/pages/rope.md', 'The quay](media:4712', 'The tower](media:4714');
  await expect.poll(() => html('/rope/'), { timeout: 20_000 }).toContain('alt="The tower"');
  const entry = 'src/content/notes/knot.md';
  await harbour.site.edit(entry, '4711?crop=', '4712?crop=');
  // On a busy machine, Astro 5 can miss a change that comes while it takes in another: save again.
  const savedAgain = async () => {
    await harbour.site.write(entry, await harbour.site.read(entry));
    return html('/notes/knot/');
  };
  await expect
    .poll(savedAgain, { timeout: 20_000, interval: 500 })
    .toContain('data-media-asset="4712"');
  expect(Math.min(...(await sizesOf('/notes/knot/')))).toBeGreaterThan(50);
});

test('an asset that cannot be had is a labelled picture, and a mistake its message', async () => {
  await harbour.site.edit('src/content/notes/knot.md', '4712?crop=', '4999?crop=');
  await expect
    .poll(() => html('/notes/knot/'), { timeout: 20_000 })
    .toMatch(/src="[^"]*\/media-asset\/unavailable\/4999-/);
  await harbour.site.edit('src/content/notes/knot.md', '?crop=', '?corp=');
  await expect
    .poll(() => html('/notes/knot/'), { timeout: 20_000 })
    .toContain('alt="src/content/notes/knot.md:5: the address of asset 4999');
  // A mistake that is made again is said again.
  for (const [from, to] of [
    ['?corp=', '?crop='],
    ['?crop=', '?corp='],
  ] as const) {
    await harbour.site.edit('src/content/notes/knot.md', from, to);
    await expect
      .poll(() => html('/notes/knot/'), { timeout: 20_000 })
      .toContain(from === '?corp=' ? '/unavailable/4999-' : 'has the parameter');
  }
  await expect
    .poll(() => server.output().split('[parameter-unknown]').length, { timeout: 20_000 })
    .toBe(3);
  expect(server.output()).toContain('asset 4999');
  expect(server.output()).toContain('did you mean `crop`? ');
  expect(server.output()).toContain('[parameter-unknown]');
});
