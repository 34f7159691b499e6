import { expect, test } from 'vitest';
import { compareBuilds, readFacts } from '../../../src/cli/import/compare-builds.ts';

const picture = (inside: string) => `<picture><source srcset="/a.webp 1x">${inside}</picture>`;
const quay = '<img alt="A quay" width="4" height="3" src="/a.png">';

test.each([
  ['a.html', quay, picture(quay), ['"A quay", 4 × 3'], ['"A quay", 4 × 3, in <picture>']],
  ['a.html', picture(quay), quay, ['"A quay", 4 × 3, in <picture>'], ['"A quay", 4 × 3']],
  [
    'a.json',
    '{ "cover": { "src": "/_astro/a.h_X.webp" } }',
    '{ "cover": { "id": 1 } }',
    ['a file'],
  ],
  ['rss.xml', '<media:content url="/a.png" />', '<media:content url="" />', ['a file']],
])('%s with %s, then %s, names its images', (file, old, now, before, after = []) => {
  expect(difference(file, old, now)).toEqual([{ file, kind: 'images', before, after }]);
});

test('the other names and sizes of the same images in a feed are no difference', () => {
  const now = '<img src="/b.webp" srcset="/b.webp 480w, /c.webp 960w, /d.webp 2x">';
  expect(difference('rss.xml', '<img src="/a.png">', now)).toEqual([]);
});

function difference(file: string, old: string, now: string) {
  const facts = (text: string) => new Map([[file, readFacts(file, Buffer.from(text))]]);
  return compareBuilds([facts(old), facts(old)], facts(now));
}
