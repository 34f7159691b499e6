import { z } from 'astro/zod';
import { describe, expect, test } from 'vitest';
import { mediaAsset } from '../../../src/astro/collections/schema.ts';

const crop = { x: 400, y: 200, width: 2400, height: 1600 };

describe('a field with an asset', () => {
  test.each<[value: unknown, props: object]>([
    [4711, { id: 4711 }],
    [-12, { id: -12 }],
    ['4711', { id: 4711 }],
    ['media:4711', { id: 4711 }],
    ['media:4711?crop=400,200,2400,1600&priority', { id: 4711, crop, priority: true }],
    ['media:4711?preset=hero', { id: 4711, preset: 'hero' }],
    ['media:4711?decoration&widths=640,1280', { id: 4711, alt: '', widths: [640, 1280] }],
    [{ id: 4711 }, { id: 4711 }],
    [
      { id: '4711', alt: 'A cutter', crop },
      { id: 4711, alt: 'A cutter', crop },
    ],
    [
      { id: 4711, focus: { x: 0.3, y: 0.5 } },
      { id: 4711, focus: { x: 0.3, y: 0.5 } },
    ],
    [
      { id: 4711, sizes: '50vw' },
      { id: 4711, sizes: '50vw' },
    ],
    [
      { id: 4711, priority: false, sources: [{ media: 'print', crop }] },
      { id: 4711, priority: false, sources: [{ media: 'print', crop }] },
    ],
  ])('%j has the props %j', (value, props) => {
    expect(mediaAsset().parse(value)).toEqual(props);
  });

  test.each<[value: unknown, message: string]>([
    [undefined, 'Received undefined; expected an asset ID, an address such as'],
    [null, 'Received null; expected an asset ID'],
    [0, 'Received 0; expected an asset ID'],
    [4711.5, 'Received 4711.5; expected an asset ID'],
    ['04711', 'Received "04711"; expected an asset ID'],
    ['./quay.jpg', 'Received "./quay.jpg"; expected an asset ID'],
    [[4711], 'Received [4711]; expected an asset ID'],
    [{ alt: 'A cutter' }, 'Received {"alt":"A cutter"}; expected an asset ID'],
    ['media:quay', '"quay" isn\'t an asset ID.'],
    [
      'media:4711?corp=1,2,3,4',
      'Unknown parameter `corp` of asset 4711. Did you mean `crop`? Valid parameters: crop,',
    ],
    ['media:4711?width=wide', 'asset 4711 has width="wide"; expected a whole number'],
    [{ id: 4711, croop: crop }, 'asset 4711 has croop={"x":400,"y":200,"width":2400'],
    [{ id: 4711, page: '/' }, 'asset 4711 has page="/"; expected only id, alt, crop,'],
    [{ id: 4711, alt: null }, 'the image of asset 4711 has no `alt`.'],
    [{ id: 4711, alt: 1984 }, 'asset 4711 has alt=1984; expected a string.'],
    [{ id: 4711, crop: { x: 1 } }, 'invalid crop of asset 4711: y, width, height missing'],
    [{ id: 4711, priority: 'high' }, 'asset 4711 has priority="high"; expected true or false.'],
  ])('with %j is refused: %s', (value, message) => {
    const entry = z.object({ hero: mediaAsset() }).safeParse({ hero: value });
    const found = entry.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    expect(found).toEqual([expect.stringContaining(`hero: ${message}`)]);
  });

  test('can be optional, missing or one of a list', () => {
    const schema = z.object({ hero: mediaAsset().optional(), more: z.array(mediaAsset()) });
    expect(schema.parse({ more: [4711, 'media:4712'] })).toEqual({
      more: [{ id: 4711 }, { id: 4712 }],
    });
    expect(z.object({ hero: mediaAsset() }).safeParse({}).success).toBe(false);
  });

  test.each([undefined, null, ''])('with %j is nothing if it may be', (hero) => {
    const schema = z.object({ hero: mediaAsset({ optional: true, alt: 'required' }) });
    expect(schema.parse({ hero }).hero).toBeUndefined();
    expect(schema.parse({}).hero).toBeUndefined();
    expect(z.object({ hero: mediaAsset() }).safeParse({ hero }).success).toBe(false);
    expect(schema.safeParse({ hero: 4711 }).error?.message).toContain('has no `alt`');
  });

  test.each([
    [4711, false],
    ['media:4711', false],
    ['media:4711?decoration', true],
    [{ id: 4711 }, false],
    [{ id: 4711, alt: '' }, true],
    [{ id: 4711, alt: 'A cutter' }, true],
  ])('with %j and a required `alt` is accepted: %s', (value, isAccepted) => {
    const { success, error } = mediaAsset({ alt: 'required' }).safeParse(value);
    expect(success).toBe(isAccepted);
    if (!isAccepted) expect(error?.message).toContain('the image of asset 4711 has no `alt`.');
  });
});
