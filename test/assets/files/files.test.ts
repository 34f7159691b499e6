import { truncate, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { AssetsOptions } from '../../../src/assets/assets-options.ts';
import type { MediaFile } from '../../../src/assets/request/media-file.ts';
import {
  failureOf,
  inTurn,
  type Respond,
  startScriptedService,
  status,
  withFolders,
} from '../../service/scripted-service.ts';
import { drawMp4, drawPdf, drawSound } from '../../support/images/test-files.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import {
  codeOf,
  contentsOf,
  filesBelow,
  issuedIn,
  openSite,
  type TestImages,
} from '../open-images.ts';

const page = '/page/';
const pdf = drawPdf();
const html = Buffer.from('<!doctype html><script>alert(1)</script>');
const picture = await drawTestImage({ path: 'a.jpg', width: 64, height: 48 });

interface Answer {
  readonly bytes: Uint8Array;
  readonly name?: string;
  readonly type?: string;
}

function give({ bytes, name, type = 'application/octet-stream' }: Answer): Respond {
  const headers = {
    etag: '"1"',
    'content-type': type,
    'content-length': bytes.length,
    ...(name && {
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    }),
  };
  return (response) => void response.writeHead(200, headers).end(bytes);
}

const giveReport = give({ bytes: pdf, name: 'report DRAFT 3.pdf', type: 'application/pdf' });

async function open(respond: Respond, options: Partial<AssetsOptions> = {}) {
  const scripted = await startScriptedService({ respond });
  const common = { site: 'https://harbour.example', ...options };
  const { cacheDir, open: start } = await openSite(scripted, { attempts: 1 }, common);
  return { scripted, cacheDir, start, images: start() };
}

/** Publishes a page that links these files. The written bytes by URL. */
const publish = (images: TestImages, ...files: Pick<MediaFile, 'src'>[]) =>
  images.publish({ renditions: files.map(({ src }) => ({ url: src })) });

/** A site whose first build has published asset 4711. */
async function openPublished(respond: Respond, options?: Partial<AssetsOptions>) {
  const site = await open(respond);
  const first = site.start(options);
  const file = await first.getMediaFile({ id: 4711, page });
  return { ...site, first, file, written: await publish(first, file) };
}

describe('a file', () => {
  test('is published unchanged at a URL with its hash', async () => {
    const { images, scripted } = await open(giveReport);
    const file = await images.getMediaFile({ id: 4711, name: 'Annual report', page });
    expect(file).toEqual({
      id: 4711,
      name: 'Annual report',
      src: expect.stringMatching(/^\/_astro\/media-asset\/4711-[0-9a-f]{16}-file\/4711\.pdf$/),
      url: `https://harbour.example${file.src}`,
      fileName: 'Annual report.pdf',
      contentType: 'application/pdf',
      typeText: 'PDF',
      size: pdf.length,
      sizeText: `${pdf.length} bytes`,
      text: `Annual report (PDF, ${pdf.length} bytes)`,
      width: undefined,
      height: undefined,
      originalUrl: `${scripted.url}/1/file/4711/download/0`,
    });
    expect([...(await publish(images, file))]).toEqual([[file.src, pdf]]);
    expect(images.findings).toEqual([]);
    expect(scripted.requests).toHaveLength(1);
  });

  test('with several names is published once, and each link downloads it under its own', async () => {
    const { images } = await open(giveReport);
    const names = ['Annual report', ' Input/output,\n v2.5 ', undefined];
    const files = await Promise.all(
      names.map((name) => images.getMediaFile({ id: 4711, name, page })),
    );
    expect(files).toMatchObject([
      { name: 'Annual report', fileName: 'Annual report.pdf' },
      { name: 'Input/output, v2.5', fileName: 'Input-output, v2.5.pdf' },
      { name: 'report DRAFT 3', fileName: 'report DRAFT 3.pdf' },
    ]);
    expect([...(await publish(images, ...files)).keys()]).toEqual([
      expect.stringMatching(/^\/_astro\/media-asset\/4711-[0-9a-f]{16}-file\/4711\.pdf$/),
    ]);
  });

  test("shows its size in the page's language", async () => {
    const bytes = Buffer.concat([pdf, Buffer.alloc(2_400_000)]);
    const { images } = await open(give({ bytes }));
    const texts = ['en', 'nb', 'fr', 'the locale of a site', undefined].map(async (locale) => {
      const { text } = await images.getMediaFile({ id: 1, name: 'A', locale, page });
      return text.replace(/\s/g, ' ');
    });
    expect(await Promise.all(texts)).toEqual([
      'A (PDF, 2.4 MB)',
      'A (PDF, 2,4 MB)',
      'A (PDF, 2,4 Mo)',
      'A (PDF, 2.4 MB)',
      'A (PDF, 2.4 MB)',
    ]);
  });

  test("isn't downloaded again if it's unchanged, and isn't published if no page names it", async () => {
    const { start, scripted } = await openPublished(inTurn(giveReport, status(304)));
    const second = start();
    await second.checkUsed();
    const { src } = await second.getMediaFile({ id: 4711, page });
    expect((await publish(second, { src })).get(src)).toEqual(pdf);
    expect(second.counts()).toMatchObject({ downloads: 0, checks: 1 });
    expect((await publish(second)).size).toBe(0);
    expect(scripted.requests).toHaveLength(2);
  });

  test("is published for a page that wasn't rendered again", async () => {
    const { start, file } = await openPublished(inTurn(giveReport, status(304)));
    expect((await publish(start(), file)).get(file.src)).toEqual(pdf);
  });

  test("has the service's URL with delivery: 'service'", async () => {
    const { images, scripted, cacheDir } = await open(
      give({ bytes: Buffer.from('<html>'), name: 'a.html' }),
      { delivery: 'service' },
    );
    const { src, url } = await images.getMediaFile({ id: 4711, page });
    expect([src, url]).toEqual(Array(2).fill(`${scripted.url}/1/file/4711/download/0`));
    await images.save();
    expect(issuedIn(cacheDir)).toMatchObject([{ id: 4711, as: 'link', key: src }]);
  });
});

describe('a file that must not be published is an error that names the page and the asset', () => {
  test.each<[string, Answer, code: string, text: string]>([
    [
      'an HTML page',
      { bytes: html, name: 'a.pdf' },
      'file-guarded',
      'an HTML page, judging by its bytes',
    ],
    ['a script', { bytes: Buffer.from('alert(1)'), name: 'a.js' }, 'file-guarded', 'by its name'],
    ['an image', { bytes: picture, name: 'a.jpg' }, 'file-is-picture', 'is an image'],
    ['nothing', { bytes: Buffer.alloc(0), name: 'a.pdf' }, 'file-empty', '0 bytes'],
    ['an HTML answer', { bytes: html, type: 'text/html' }, 'answer-html', 'with an HTML page'],
  ])('%s', async (_, answer, code, text) => {
    const { images, cacheDir } = await open(give(answer));
    const error = await failureOf(images.getMediaFile({ id: 4711, page }));
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(text);
    expect(error.message).toMatch(/^\/page\/: .*asset 4711\b/);
    await images.save();
    expect(
      [...(await filesBelow(cacheDir)).keys()].filter((path) => path.includes('v3/tmp')),
    ).toEqual([]);
  });

  test('an image used as a video', async () => {
    const { images } = await open(give({ bytes: picture, name: 'quay.jpg' }));
    expect(await failureOf(images.getMediaFile({ id: 4711, as: 'video', page }))).toMatchObject({
      code: 'file-not-video',
      message: "/page/: asset 4711 isn't a video, but image/jpeg.",
      hint: expect.stringContaining('Use <MediaAsset> for images'),
    });
  });

  test.each([
    [{ id: '4711' }, 'asset-id-invalid'],
    [{ id: 1, name: 7 }, 'prop-invalid'],
    [{ id: 1, locale: 7 }, 'prop-invalid'],
    [{ id: 1, as: 'picture' }, 'prop-invalid'],
  ])('an invalid request %j', async (request, code) => {
    const { images } = await open(giveReport);
    const wrong = { ...request, page } as unknown as Parameters<typeof images.getMediaFile>[0];
    expect(await codeOf(images.getMediaFile(wrong))).toBe(code);
  });

  test('an HTML page is published if the site allows it', async () => {
    const { images } = await open(give({ bytes: html, name: 'a.html', type: 'text/html' }), {
      files: { allow: ['html'] },
    });
    const file = await images.getMediaFile({ id: 4711, page });
    expect(file.src).toMatch(/4711\.html$/);
    expect((await publish(images, file)).get(file.src)).toEqual(html);
  });

  test("isn't published anymore when the site stops allowing it", async () => {
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const answer = give({ bytes: drawing, name: 'a.svg', type: 'image/svg+xml' });
    const allowed = { files: { allow: ['svg' as const] } };
    const { start, file, written } = await openPublished(inTurn(answer, status(304)), allowed);
    expect(file.src).toMatch(/\.svg$/);
    expect(written.get(file.src)).toEqual(drawing);

    const second = start({ files: { allow: ['html'] } });
    expect(await codeOf(publish(second, file))).toBe('file-guarded');
    expect(await codeOf(second.fileFor(file.src))).toBe('file-guarded');
  });
});

test('a withdrawn file is removed from cache and output', async () => {
  const site = await openPublished(withFolders(inTurn(giveReport, status(410))));
  const { start, cacheDir, first, file } = site;
  const second = start();
  await second.checkUsed();
  expect(second.versions()).not.toBe(first.versions());
  expect(await failureOf(second.getMediaFile({ id: 4711, page }))).toMatchObject({
    code: 'asset-withdrawn',
    message: 'The service no longer delivers asset 4711 (410) on /page/.',
  });
  expect(await codeOf(publish(second, file))).toBe('asset-withdrawn');
  await second.tidy();
  expect(await contentsOf(cacheDir)).toEqual([]);
  expect(issuedIn(cacheDir)).toEqual([]);
});

test('a file is published from the cache and reported as stale if the service is unreachable', async () => {
  const { start } = await openPublished(inTurn(giveReport, status(503)));
  const second = start();
  const file = await second.getMediaFile({ id: 4711, page });
  expect((await publish(second, file)).get(file.src)).toEqual(pdf);
  expect(second.findings).toMatchObject([{ code: 'asset-stale' }]);
});

test.each([
  ['have changed', (path: string) => writeFile(path, Buffer.alloc(pdf.length, 'x'))],
  ['are incomplete', (path: string) => truncate(path, 10)],
])('a file is downloaded again if its cached bytes %s', async (_, damage) => {
  const { images, cacheDir } = await open(giveReport);
  const file = await images.getMediaFile({ id: 4711, page });
  await damage((await images.fileFor(file.src))?.path ?? '');
  expect((await publish(images, file)).get(file.src)).toEqual(pdf);
  expect(await contentsOf(cacheDir)).toEqual([pdf]);
});

test('a video has a size in pixels, and an audio file has none', async () => {
  const bytes = drawMp4({ width: 1280, height: 720, isTurned: true });
  const { images } = await open(give({ bytes, name: 'a.mp4' }));
  expect(await images.getMediaFile({ id: 1, as: 'video', page })).toMatchObject({
    contentType: 'video/mp4',
    width: 1280,
    height: 720,
  });
  const sound = await open(give({ bytes: drawSound(), name: 'bell' }));
  expect(await sound.images.getMediaFile({ id: 1, page })).toMatchObject({
    contentType: 'audio/wav',
    typeText: 'WAV',
    width: undefined,
  });
});
