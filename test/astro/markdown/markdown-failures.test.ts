import { expect, test } from 'vitest';
import { findFailures, markFailure } from '../../../src/astro/markdown/markdown-failures.ts';
import { mediaAssetError } from '../../../src/errors/errors.ts';

const attribute = (value: string) => `<p data-media-asset-failed="${value}">`;
const encoded = (text: string) => Buffer.from(text).toString('base64url');

test('a failure is found as it was marked', () => {
  const marked = markFailure(mediaAssetError('site-missing', undefined));
  const html = attribute(marked['data-media-asset-failed'] ?? '').repeat(2);
  expect(findFailures(html).map(({ code }) => code)).toEqual(['site-missing', 'site-missing']);
});

test.each(['a-note-of-our-own', encoded('null'), encoded('{}'), encoded('{"code":"toString"}')])(
  "a site's own text is no failure: %s",
  (value) => {
    expect(findFailures(attribute(value))).toEqual([]);
  },
);
