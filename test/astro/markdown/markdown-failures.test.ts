import { expect, test } from 'vitest';
import { findFailures } from '../../../src/astro/markdown/markdown-failures.ts';

const attribute = (value: string) => `<p data-media-asset-failed="${value}">`;
const encoded = (text: string) => Buffer.from(text).toString('base64url');

test.each(['a-note-of-our-own', encoded('null'), encoded('{}'), encoded('{"code":"toString"}')])(
  "a site's own text is no failure: %s",
  (value) => {
    expect(findFailures(attribute(value))).toEqual([]);
  },
);
