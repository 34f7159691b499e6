import { expect, test } from 'vitest';
import type { MediaAsset } from '../../../src/assets/request/media-asset.ts';
import { structuredData } from '../../../src/assets/request/structured-data.ts';

const url = 'https://harbour.example/_astro/quay.webp';
const bare = { id: 4711, url, creators: [] };

const dataOf = (given: Partial<MediaAsset>) => {
  const json = structuredData({ ...bare, ...given } as unknown as MediaAsset, '/quay/');
  return json && JSON.parse(json);
};

test.each<[what: string, given: Partial<MediaAsset>, expected: object]>([
  ['one creator', { creators: ['Ada'] }, { creator: { '@type': 'Person', name: 'Ada' } }],
  [
    'two creators',
    { creators: ['Ada', 'Bo'] },
    { creator: ['Ada', 'Bo'].map((name) => ({ '@type': 'Person', name })) },
  ],
  ['a credit', { credit: 'Harbour' }, { creditText: 'Harbour' }],
  ['a copyright', { copyright: '© Ada' }, { copyrightNotice: '© Ada' }],
  [
    'a license',
    { license: 'https://l.example/', acquireLicense: 'https://a.example/' },
    { license: 'https://l.example/', acquireLicensePage: 'https://a.example/' },
  ],
])('an image with %s has it as data', (_, given, expected) => {
  const image = { '@context': 'https://schema.org', '@type': 'ImageObject', contentUrl: url };
  expect(dataOf(given)).toEqual({ ...image, ...expected });
});

test.each<[what: string, given: Partial<MediaAsset>]>([
  ['an image of which nothing is known', {}],
  ['an image that can only be licensed', { acquireLicense: 'https://a.example/' }],
  ['a placeholder', { credit: 'Harbour', url: 'data:image/svg+xml,x' }],
])('%s has no data', (_, given) => {
  expect(dataOf(given)).toBeUndefined();
});

test("a text can't end the script that it's in", () => {
  const asset = { ...bare, credit: '</script><b>' } as unknown as MediaAsset;
  expect(structuredData(asset, '/quay/')).not.toContain('<');
  expect(dataOf({ credit: '</script><b>' })).toMatchObject({ creditText: '</script><b>' });
});

test('a site without an address is an error that names the prop', () => {
  expect(() => dataOf({ credit: 'Harbour', url: '/_astro/quay.webp' })).toThrow(
    expect.objectContaining({
      code: 'prop-invalid',
      message: expect.stringMatching(/structuredData.*true/),
    }),
  );
});
