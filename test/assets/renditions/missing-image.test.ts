import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { labelledPlaceholder, missingImage } from '../../../src/assets/renditions/missing-image.ts';
import { askingOf } from '../../../src/assets/request/asking.ts';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { MediaAssetError, mediaAssetError } from '../../../src/errors/errors.ts';
import { defaultOptions } from '../../support/images/default-options.ts';

const crop = { x: 400, y: 200, width: 2400, height: 1600 };

const error = mediaAssetError('asset-unknown', {
  assets: [{ id: 4711, reason: 404, asked: [{ page: '/quay/' }] }],
});

const { languages } = defaultOptions;
const asking = askingOf({ id: 4711, page: '/' }, { languages, caller: 'getMediaAsset()' });

const assetFor = (props: Partial<MediaAssetRequest>) =>
  missingImage({ ...asking, alt: 'The quay', ...props }, error, {
    defaults: {},
    originalUrl: (id) => `https://media.example/${id}`,
  });

describe('the placeholder of an unavailable asset has the layout size of', () => {
  test.each<[string, Partial<MediaAssetRequest>, number, number]>([
    ['the crop', { crop }, 1280, 853],
    ['the crop as it is', { crop, layout: 'none' }, 2400, 1600],
    ['the crop with a width', { crop, width: 300 }, 300, 200],
    ['both sides', { width: 300, height: 100 }, 300, 100],
    ['an aspect with a width', { aspect: '16:9', width: 320 }, 320, 180],
    ['an aspect of a crop', { crop, aspect: 1, focus: 'attention' }, 1280, 1280],
    ['a crop inside both sides', { crop, width: 300, height: 100, fit: 'contain' }, 150, 100],
    ['an unknown original', {}, 1280, 960],
    [
      'half an unknown original',
      { crop: { x: 0, y: 0, width: 0.5, height: 1, unit: 'fraction' } },
      800,
      1200,
    ],
  ])('%s', async (_, props, width, height) => {
    expect(await assetFor(props)).toMatchObject({ width, height, sources: [], renditions: [] });
  });

  test('nothing if the request is invalid, which is an error', async () => {
    await expect(assetFor({ width: 0 })).rejects.toMatchObject({ code: 'prop-invalid' });
  });
});

describe('the labelled placeholder', () => {
  const svgOf = (reason: MediaAssetError) =>
    decodeURIComponent(
      labelledPlaceholder('The quay & <b>', reason).replace('data:image/svg+xml,', ''),
    );

  test('has the alt text, the reason and the code', () => {
    const svg = svgOf(error);
    // Without a size, browsers don't scale its text with the image.
    expect(svg).toMatch(/^<svg xmlns="[^"]+">/);
    for (const part of ['The quay &amp; &lt;b&gt;', 'asset-unknown', 'The service doesn']) {
      expect(svg).toContain(part);
    }
  });

  test('escapes markup and invalid characters of a message', async () => {
    const message = '<script>alert(1)</script> & \u0000 \ud800 "quoted"';
    const bad = new MediaAssetError('asset-unknown', { message, hint: '' });
    const svg = svgOf(bad);
    for (const part of ['<script', '\u0000', '\ud800']) expect(svg).not.toContain(part);
    const sized = svg.replace('<svg ', '<svg width="60" height="40" ');
    expect(await sharp(Buffer.from(sized)).metadata()).toMatchObject({ format: 'svg' });
  });
});
