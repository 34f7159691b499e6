import { expect, test } from 'vitest';
import { markFailure, readFailure } from '../../../src/assets/formats/markers.ts';
import { mediaAssetError } from '../../../src/errors/errors.ts';

test('a marker has the whole failure', () => {
  const place = { file: 'src/pages/a.md', line: 3 };
  const failure = mediaAssetError('alt-missing', { id: 4711, place });
  const [value = ''] = Object.values(markFailure(failure));
  const { message } = failure;
  expect(readFailure(value)).toMatchObject([{ code: 'alt-missing', message, place, asset: 4711 }]);
});

const encoded = (text: string) => Buffer.from(text).toString('base64url');

test.each(['a-note-of-our-own', encoded('null'), encoded('{}'), encoded('{"code":"toString"}')])(
  "a site's own text is no failure: %s",
  (value) => {
    expect(readFailure(value)).toEqual([]);
  },
);
