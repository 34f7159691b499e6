import { createHash } from 'node:crypto';
import { stat, truncate, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { failureOf, type Respond, startScriptedService } from '../../service/scripted-service.ts';
import { drawPng, resizeJpegHeader } from '../../support/images/handmade-images.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import { codeOf, contentsOf, filesBelow, openSite, removeContents } from '../open-images.ts';

const page = '/page/';
const draw = (path: string) => drawTestImage({ path, width: 640, height: 480 });
const picture = await draw('a.jpg');
const short = picture.subarray(0, picture.length * 0.7);
const frames = [
  await draw('a.png'),
  await drawTestImage({ path: 'b.png', width: 640, height: 480, seed: 1 }),
];
const clip = await sharp(frames, { join: { animated: true } })
  .gif()
  .toBuffer();
const bomb = drawPng({
  width: 20_000,
  height: 20_000,
  bits: 1,
  data: Buffer.alloc(2501 * 20_000),
});
const huge = drawPng({ width: 40_000, height: 40_000, data: Buffer.alloc(1000) });
const wide = {
  ...{ width: 11_000, height: 11_000, bits: 16 as const, transparent: true },
  data: Buffer.alloc(1000),
};

const text = (value: string) => Buffer.from(value);
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
const send =
  (bytes: Buffer): Respond =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes);

async function ask(respond: Respond) {
  const scripted = await startScriptedService({ respond });
  const limits = { attempts: 1, maxDownloadBytes: 200_000 };
  const { cacheDir, open } = await openSite(scripted, limits);
  const images = open();
  const error = await failureOf(images.show(4711));
  await images.save();
  return { error, cacheDir };
}

test.each([
  ['nothing', Buffer.alloc(0), 'an empty file'],
  ['an HTML page', text('\n<!DOCTYPE html><title>Sign in</title>'), 'an HTML page'],
  [
    'an HTML page with an SVG',
    text('<!doctype html><title>A</title><svg xmlns="http://www.w3.org/2000/svg"/>'),
    'an HTML page',
  ],
  ['JSON', text('{"error":"gone"}'), 'JSON'],
  ['XML', text('<?xml version="1.0"?><Error/>'), 'an XML or HTML file'],
  ['text', text('Service unavailable'), 'plain text'],
  ['a video', Buffer.from('00000018667479706d703432000000006d703432', 'hex'), 'a video'],
  ['a HEIC', Buffer.from('000000186674797068656963000000006d696631', 'hex'), 'a HEIC image'],
  ['random bytes', createHash('sha512').update('a').digest(), 'a file of unknown type'],
  ['half a JPEG', short, 'a JPEG that is damaged or incomplete'],
  ['half a PNG', half(await draw('a.png')), 'a PNG that is damaged or incomplete'],
  ['half a WebP', half(await draw('a.webp')), 'a WebP that is damaged or incomplete'],
  ['a GIF without its last frame', clip.subarray(0, -40), 'a GIF that is damaged or incomplete'],
])('%s instead of an image is refused, and nothing is stored', async (_, bytes, received) => {
  const { error, cacheDir } = await ask(send(bytes));
  expect(error).toMatchObject({
    code: 'download-not-a-picture',
    message: `/page/: asset 4711 can't be shown as an image: the service sent ${received}.`,
  });
  expect(await contentsOf(cacheDir)).toEqual([]);
});

test.each<[string, string, Respond]>([
  [
    'that breaks off',
    'download-corrupt',
    (response) => {
      response.writeHead(200, { 'content-length': picture.length });
      response.write(short, () => response.destroy());
    },
  ],
  [
    'past the limit, without an announced length',
    'download-too-large',
    (response) => {
      response.write(Buffer.alloc(300_000, picture));
      response.end();
    },
  ],
  [
    'announced past the limit',
    'download-too-large',
    (response) => void response.writeHead(200, { 'content-length': 10 ** 9 }).write('a'),
  ],
  ['of 40,000 × 40,000 pixels', 'picture-too-large', send(huge)],
  ['of a JPEG with such a header', 'picture-too-large', send(resizeJpegHeader(picture, 40_000))],
  [
    'of 11,000 × 11,000 interlaced pixels of 8 bytes',
    'picture-too-large',
    send(drawPng({ ...wide, interlaced: true })),
  ],
  ['of as many pixels row by row, without data', 'download-not-a-picture', send(drawPng(wide))],
  ['of 50 MB of pixels in some KB', 'picture-too-large', send(bomb)],
])('a download %s is %s, and nothing is stored', async (_, code, respond) => {
  const { error, cacheDir } = await ask(respond);
  expect(error).toMatchObject({ code, page, asset: 4711 });
  expect(error.message).toMatch(/^\/page\/: .*asset 4711/);
  expect(error.message.match(/asset 4711/g)).toHaveLength(1);
  expect(await contentsOf(cacheDir)).toEqual([]);
});

test('the error for an answer of the service names the asset once', async () => {
  const { error } = await ask((response) => void response.writeHead(400).end('{}'));
  expect(error).toMatchObject({ code: 'request-refused', page, asset: 4711 });
  expect(error.message).toMatch(/^\/page\/: The service refused asset 4711 \(GET /);
});

test("a broken version doesn't replace the cached one", async () => {
  let bytes = picture;
  const scripted = await startScriptedService({ respond: (...asked) => send(bytes)(...asked) });
  const { open } = await openSite(scripted);
  const { src } = await open().show(4711);
  bytes = short;
  expect(await codeOf(open().show(4711))).toBe('download-not-a-picture');
  bytes = picture;
  expect((await open().show(4711)).src).toBe(src);
});

test.each<[string, (path: string) => Promise<void>]>([
  ['truncated by a crash', async (path) => truncate(path, (await stat(path)).size - 20)],
  ['of another version', (path) => writeFile(path, '{ "version": 0 }')],
])('a file of facts %s is fetched again', async (_, damage) => {
  const { cacheDir, open } = await openSite(await startScriptedService({ respond: send(picture) }));
  const first = open();
  const { src } = await first.show(4711);
  await first.save();
  const facts = [...(await filesBelow(`${cacheDir}/v3`)).keys()].filter((path) =>
    path.endsWith('facts.json'),
  );
  expect(facts).toHaveLength(1);
  for (const path of facts) await damage(path);
  const again = open();
  expect((await again.show(4711)).src).toBe(src);
  expect(again.counts().downloads).toBe(1);
});

/** The same pixels with a comment, as services write the time of a download into a file. */
async function withComment(number: number): Promise<Buffer> {
  const image = sharp(await drawTestImage({ path: 'quay.png', width: 60, height: 40 }));
  const comment = { IFD0: { ImageDescription: `Download ${number}` } };
  return image.jpeg({ quality: 100 }).withExif(comment).toBuffer();
}

test.each([
  ['with the same validators is that version, whatever bytes are delivered', '"1"', true],
  ['with another ETag is another one', '"2"', false],
])('a source without bytes in the cache %s', async (_, later, isSame) => {
  let downloads = 0;
  let etag = '"1"';
  const service = await startScriptedService({
    async respond(response, { headers }) {
      if (headers['if-none-match'] === '"1"') return void response.writeHead(304).end();
      downloads += 1;
      response.writeHead(200, { etag }).end(await withComment(downloads));
    },
  });
  const { cacheDir, open } = await openSite(service);
  await open().publishOne(4711, { width: 20, widths: [20] });
  await removeContents(cacheDir);

  etag = later;
  const second = open();
  const asset = await second.show(4711, { width: 30, widths: [10, 15, 30] });
  const published = second.publish(asset);
  if (!isSame) return expect(published).rejects.toMatchObject({ code: 'rendition-lost' });
  expect((await published).size).toBe(3);
  expect(downloads).toBe(2);
});

const [monday, tuesday] = ['Mon, 02 Mar 2026 08:00:00 GMT', 'Tue, 03 Mar 2026 08:00:00 GMT'];

test.each<[string, first: Record<string, string>, then: Record<string, string>, isSame: boolean]>([
  ['the same ETag is', { etag: '"1"' }, { etag: '"1"' }, true],
  ["another ETag isn't", { etag: '"1"' }, { etag: '"2"' }, false],
  ['the same date is', { 'last-modified': monday }, { 'last-modified': monday }, true],
  ["another date isn't", { 'last-modified': monday }, { 'last-modified': tuesday }, false],
  ["an ETag no more isn't", { etag: '"1"' }, {}, false],
  ["no validators at all isn't", {}, {}, false],
])(
  'other bytes of the same size with %s the version that a cache has lost',
  async (_, first, then, isSame) => {
    let downloads = 0;
    const service = await startScriptedService({
      async respond(response) {
        downloads += 1;
        const headers = downloads === 1 ? first : then;
        response.writeHead(200, headers).end(await withComment(downloads));
      },
    });
    const { cacheDir, open } = await openSite(service);
    const images = open();
    const asset = await images.show(4711, { width: 30, widths: [10, 15, 30] });
    await images.save();
    await removeContents(cacheDir);
    const [published] = await Promise.allSettled([images.publish(asset)]);
    expect(published.status === 'fulfilled' ? published.value.size : published.reason.code).toBe(
      isSame ? 3 : 'rendition-lost',
    );
  },
);
