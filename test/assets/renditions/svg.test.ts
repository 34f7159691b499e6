import { describe, expect, test } from 'vitest';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { failureOf, startScriptedService } from '../../service/scripted-service.ts';
import { codeOf, contentsOf, give, openSite } from '../open-images.ts';

const page = '/harbour/';
const drawing = Buffer.from(
  `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0h40v20z" fill="#136"/><script>alert(1)</script></svg>\n`,
);

/** A service whose asset 4711 is an SVG. */
const service = async ({ original = drawing } = {}) =>
  openSite(await startScriptedService({ respond: give(original) }));

const ask = (request: Partial<MediaAssetRequest> = {}) => ({
  ...{ id: 4711, alt: 'Map', page, ...request },
});

test('a page that shows an SVG is an error with a hint about the options', async () => {
  const { open, cacheDir } = await service();
  const images = open({});
  const error = await failureOf(images.getMediaAsset(ask()));
  expect(error).toMatchObject({
    code: 'svg-refused',
    message: "/harbour/: asset 4711 is an SVG, which this site doesn't allow.",
    hint: expect.stringMatching(/pixel image instead.*svg: 'trust'/),
  });
  await images.save();
  expect(await contentsOf(cacheDir)).toEqual([drawing]);
});

describe('an SVG', () => {
  test('is published unchanged if the site trusts it', async () => {
    const { open } = await service();
    const images = open({ svg: 'trust' });
    const asset = await images.getMediaAsset(ask());
    expect(asset.src).toMatch(/-map\.svg$/);
    expect(await images.publish(asset)).toEqual(new Map([[asset.src, drawing]]));
  });

  test('of an earlier build that trusted it is refused once the site refuses SVGs', async () => {
    const { open } = await service();
    const trusting = open({ svg: 'trust' });
    const asset = await trusting.getMediaAsset(ask());
    await trusting.publish(asset);
    const images = open({});
    expect(await failureOf(images.publish(asset))).toMatchObject({
      code: 'svg-refused',
      message: expect.stringMatching(/^\/page\/: asset 4711 is an SVG,/),
    });
    expect(await codeOf(images.fileFor(asset.src))).toBe('svg-refused');
  });

  test('is one file in one format, and has no placeholder', async () => {
    const { open } = await service();
    const asset = await open({ svg: 'trust' }).getMediaAsset(
      ask({ formats: ['avif', 'webp'], widths: [10, 20], sizes: '50vw', placeholder: 'blur' }),
    );
    expect(asset).toMatchObject({ srcset: undefined, sizes: undefined, sources: [] });
    expect(asset.placeholder).toBeUndefined();
    expect(asset.renditions).toHaveLength(1);
  });

  test.each<[string, Partial<MediaAssetRequest>, number, number]>([
    ['no size', {}, 40, 20],
    ['a width', { width: 800 }, 800, 400],
    ['a height', { height: '5' }, 10, 5],
    ['a size of another shape', { width: 100, height: 100 }, 100, 50],
    ['a size to fill', { width: 10, height: 100, fit: 'fill' }, 10, 5],
    ['a layout', { layout: 'constrained', width: 600 }, 600, 300],
  ])('with %s keeps its shape', async (_, request, width, height) => {
    const { open } = await service();
    const images = open({ svg: 'trust' });
    const asset = await images.getMediaAsset(ask(request));
    expect({ width: asset.width, height: asset.height }).toEqual({ width, height });
    expect(asset.src).toBe((await images.getMediaAsset(ask())).src);
  });

  test('is served by the dev server with its content type', async () => {
    const { open } = await service();
    const images = open({ svg: 'trust', mode: 'dev' });
    const { src } = await images.getMediaAsset(ask());
    const { bytes, contentType } = (await images.fileFor(src)) ?? {};
    expect([contentType, bytes]).toEqual(['image/svg+xml', drawing]);
  });

  test("is linked with delivery: 'service' only if the site trusts it", async () => {
    const { open } = await service();
    const asset = await open({ svg: 'trust', delivery: 'service' }).getMediaAsset(
      ask({ width: 80, sources: [{ media: '(max-width: 40em)', width: 40 }] }),
    );
    expect(asset).toMatchObject({ src: asset.originalUrl, width: 80, height: 40 });
    expect(asset.sources).toMatchObject([{ type: 'image/svg+xml', width: 40, height: 20 }]);
    const careful = open({ delivery: 'service' });
    expect(await codeOf(careful.getMediaAsset(ask()))).toBe('svg-refused');
  });
});

test.each<Partial<MediaAssetRequest>>([
  { crop: { x: 10, y: 5, width: 20, height: 10 } },
  { aspect: 1, focus: 'attention' },
])('a crop of an SVG is an error: %j', async (request) => {
  const { open } = await service();
  expect(await failureOf(open({ svg: 'trust' }).getMediaAsset(ask(request)))).toMatchObject({
    code: 'svg-not-cropped',
    message: '/harbour/: a crop needs pixels, but asset 4711 is an SVG.',
  });
});

describe('nothing is stored of an SVG', () => {
  test.each([
    [
      'that is too large',
      Buffer.concat([drawing, Buffer.alloc(5 * 1024 ** 2, ' ')]),
      'picture-too-large',
      'asset 4711 has 5243',
    ],
    [
      'that is incomplete',
      drawing.subarray(0, 120),
      'download-not-a-picture',
      "an invalid SVG: it isn't well-formed XML",
    ],
    [
      'that includes another file',
      Buffer.from(
        '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hosts">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
      ),
      'download-not-a-picture',
      "an invalid SVG: it isn't well-formed XML",
    ],
  ])('%s', async (_, original, code, message) => {
    const { open, cacheDir } = await service({ original });
    const error = await failureOf(open({ svg: 'trust' }).getMediaAsset(ask()));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(error.message).toMatch(/^\/harbour\/: /);
    expect(await contentsOf(cacheDir)).toEqual([]);
  });
});
