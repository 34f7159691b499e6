import { writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { startService } from '../../support/service/start-service.ts';
import { postUsage, usageBody } from '../../support/service/usage-posts.ts';

/** In the order of their IDs, from 4711. */
const paths = ['boats/<b>ferry & tug.jpg', 'quay.png', 'boats/old/plan.pdf', 'cut.png'];

const emulator = await startService([
  { path: 'boats/<b>ferry & tug.jpg', width: 900, height: 600, orientation: 6 },
  { path: 'quay.png', width: 30, height: 30 },
]);
const large = await startService([]);
const media = emulator.mediaDir;
await mkdir(join(media, 'boats/old'));
await writeFile(join(media, 'boats/old/plan.pdf'), '%PDF-1.4');
await writeFile(join(media, 'cut.png'), 'no picture');

beforeEach(() => emulator.reset());

const get = (path: string) => fetch(`${emulator.url}${path}`);
const read = async (path: string) => (await get(path)).text();

/** The paths of the files on a library page, in order. */
async function shown(path: string): Promise<(string | undefined)[]> {
  const keys = (await read(path)).matchAll(/data-key="(\d+)"/g);
  return [...keys].map(([, id]) => paths[Number(id) - 4711]);
}

const hostile = {
  ...usageBody,
  project: 'harbour <i>',
  web: { page: 'https://www.example.org/?a=1&b="><script>', pageName: '<script>alert(1)</script>' },
};

describe('the library', () => {
  test.each<[string, string[]]>([
    ['/', [paths[0], paths[3], paths[2], paths[1]] as string[]],
    ['/?q=4713', ['boats/old/plan.pdf']],
    ['/?q=%5B.*', []],
    ['/?q=boats', ['boats/<b>ferry & tug.jpg', 'boats/old/plan.pdf']],
    ['/?q=boats/old', ['boats/old/plan.pdf']],
    ['/?folder=boats', ['boats/<b>ferry & tug.jpg', 'boats/old/plan.pdf']],
    ['/?folder=boats/old', ['boats/old/plan.pdf']],
    ['/?folder=boat', []],
    ['/?q=&folder=&show=unused', ['boats/<b>ferry & tug.jpg', 'quay.png']],
    ['/?folder=boats&show=unused&q=ferry', ['boats/<b>ferry & tug.jpg']],
    ['/?show=forbidden', []],
  ])('%s shows %j', async (path, expected) => {
    await postUsage(emulator, { ...usageBody, id: [4713, 4714] });
    await postUsage(emulator, { ...hostile, id: [4714] });
    expect(await shown(path)).toEqual(expected);
  });

  test("shows each file's facts and the number of pages that use it", async () => {
    await postUsage(emulator, usageBody);
    await postUsage(emulator, hostile);
    const page = await read('/');
    expect(page).toMatch(/&lt;b&gt;ferry &amp; tug<\/bdi>/);
    expect(page).toMatch(/4711 · 900 × 600 · \d+(?:\.\d+)? kB</);
    expect(page).toMatch(/4713 · 8 bytes</);
    expect(page).toContain('On 2 pages');
    expect(page.match(/Not in use<\/p>/g)).toHaveLength(3);
    expect(page).not.toMatch(/<b>|<i>/);
  });

  test('without a match says so and links to all files', async () => {
    const page = await read('/?q=%3Cu%3E');
    expect(page).toContain('0 files for “<bdi>&lt;u&gt;</bdi>”');
    expect(page).toContain('No file matches.');
    expect(page).toContain('href="/">Show all files');
  });
});

test.each([
  [{}, 'The record says nothing about them.'],
  [{ consent: ' ' }, 'The record says nothing about them.'],
  [{ gdprStatus: 'OK' }, 'Allowed'],
  [{ Consent: 'given', licenceTo: '2999-12-31T10:00:00Z' }, 'Allowed until 2999-12-31'],
  [{ useTom: '2020-01-01', licenceTo: '2999-12-31' }, 'Forbidden: the license ended on 2020-01-01'],
  [{ useTo: 'for good', gdprStatus: 'Pending' }, 'Forbidden: gdprStatus is “Pending”'],
])('the rights of a record with %j are: %s', async (record, text) => {
  const sidecar = join(media, 'quay.png.json');
  await writeFile(sidecar, JSON.stringify(record));
  const page = await read('/asset/4712');
  const forbidden = await shown('/?show=forbidden');
  const library = await read('/?show=forbidden');
  await rm(sidecar);
  expect(page).toContain(text);
  expect(forbidden).toEqual(text.startsWith('Forbidden') ? ['quay.png'] : []);
  expect(library.includes(`<p class="badge forbidden">${text}`)).toBe(text.startsWith('Forbidden'));
});

describe('an asset’s page', () => {
  test('lists its usages, with everything escaped', async () => {
    expect(await read('/asset/4711')).toContain('Not in use');
    await postUsage(emulator, { ...hostile, id: [4711] });
    const page = await read('/asset/4711');
    expect(page).toContain('On 1 page');
    expect(page).toContain('www.example.org');
    expect(page).toContain(
      '<a href="https://www.example.org/?a=1&amp;b=&quot;&gt;&lt;script&gt;"><bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi></a>',
    );
    expect(page).toContain('harbour &lt;i&gt;');
    expect(page).not.toContain('<script');
  });

  test('lists the projects that use it without a page', async () => {
    const project = '<i>Annual report';
    const use = { ...usageBody, project, types: ['print'], web: { page: '', pageName: '' } };
    await postUsage(emulator, { ...use, id: [4711], amount: '500' });
    const page = await read('/asset/4711');
    expect(page).toContain('<bdi>&lt;i&gt;Annual report</bdi>\n<p class="quiet"><bdi>print · 500');
    expect(page).not.toContain('href=""');
  });

  test('shows its metadata', async () => {
    const response = await emulator.fetch('/1/file/4712', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'The quay <at dawn>', creator: 'Ann & Bo' }),
    });
    expect(response.status).toBe(200);
    const page = await read('/asset/4712');
    expect(page).toContain('<h1><bdi>The quay &lt;at dawn&gt;</bdi></h1>');
    expect(page).toMatch(/<dt>creator<\/dt><dd><bdi>Ann &amp; Bo<\/bdi>/);
    expect(await shown('/?q=ann')).toEqual(['quay.png']);
  });

  test('leads back to what the library has shown, and to the folder', async () => {
    const [, link = ''] =
      /href="(.asset.4713[^"]*)"/.exec(await read('/?q=plan&folder=boats')) ?? [];
    const page = await read(link.replaceAll('&amp;', '&'));
    expect(page).toContain('href="/?q=plan&amp;folder=boats#file-4713"');
    expect(page).toContain('<a href="/?folder=boats%2Fold">boats/old</a>');
  });

  test('downloads the original without a token', async () => {
    const response = await get('/asset/4712/original');
    expect(response.headers.get('Content-Disposition')).toContain('attachment');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(
      await readFile(join(media, 'quay.png')),
    );
  });

  test.each(['999', '0', 'x', '4711.0'])(
    'shows an error page for the invalid ID %s',
    async (id) => {
      const response = await get(`/asset/${id}`);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('<h1>File not found</h1>');
    },
  );

  test('still exists for a deleted file', async () => {
    await writeFile(join(media, 'zzz.txt'), 'x');
    expect(await read('/asset/4715')).toContain('text/plain');
    await rm(join(media, 'zzz.txt'));
    expect(await read('/asset/4715')).toContain('The file has been deleted.');
    await postUsage(emulator, { ...usageBody, id: [4711] });
    expect(await shown('/?q=zzz')).toEqual([]);
  });
});

describe('a player', () => {
  test.each([
    ['film.webm', 'video/webm', '<video src="/asset/4711/shown" controls'],
    ['bell.mp3', 'audio/mpeg', '<audio src="/asset/4711/shown" controls'],
    ['plan.pdf', 'application/pdf', '<object data="/asset/4711/shown#page=1'],
    ['page.html', undefined, 'HTML'],
    ['drawing.svg', undefined, 'SVG'],
  ])('of %s gets its parts as %s', async (name, type, element) => {
    const service = await startService([]);
    await writeFile(join(service.mediaDir, name), '0123456789');
    const page = await (await fetch(`${service.url}/asset/4711`)).text();
    expect(page).toContain(`<div class="preview">${element}`);
    const headers = { Range: 'bytes=2-4' };
    const part = await fetch(`${service.url}/asset/4711/shown`, { headers });
    expect(part.headers.get('Content-Disposition')).toBeNull();
    // Any other file could act as one of these pages.
    if (type === undefined) return expect(part.status).toBe(404);
    expect(part.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
    const { status } = part;
    expect([status, part.headers.get('Content-Type'), await part.text()]).toEqual([
      206,
      type,
      '234',
    ]);
  });
});

describe('previews', () => {
  test('are complete and upright, and cached until the file changes', async () => {
    const response = await get('/preview/4711/600.webp');
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'webp',
      width: 600,
      height: 400,
    });
    expect(response.headers.get('Cache-Control')).toContain('immutable');
    const address = async () => /\/preview\/4711\/600\.webp[^"]*/.exec(await read('/'))?.[0];
    const before = await address();
    expect(await address()).toBe(before);
    const file = join(media, 'boats/<b>ferry & tug.jpg');
    const time = new Date('2026-03-01');
    await utimes(file, time, time);
    expect(await address()).not.toBe(before);
  });
});

describe('all pages', () => {
  test.each(['/', '/asset/4711', '/asset/999'])(
    '%s loads nothing from other origins',
    async (path) => {
      const response = await get(path);
      const policy = response.headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      expect(await response.text()).not.toMatch(/(src|href)="https?:|style="|<style/);
    },
  );

  test("aren't logged", async () => {
    await Promise.all(['/', '/asset/4711', '/page/page.css'].map(read));
    expect(emulator.log()).toEqual([]);
  });
});

test('a large library is shown in part, in numeric order, with the number of others', async () => {
  for (let file = 1; file <= 1200; file++)
    writeFileSync(join(large.mediaDir, `file ${file}.pdf`), '');
  const text = await (await fetch(`${large.url}/`)).text();
  const names = [...text.matchAll(/class="name">(.*?)</g)].map(([, name]) => name);
  expect(names).toEqual(Array.from({ length: 120 }, (_, index) => `file ${index + 1}`));
  expect(text).toContain('And 1,080 more. Search for them.');
});
