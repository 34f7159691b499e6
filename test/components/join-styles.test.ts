import { expect, test } from 'vitest';
import { joinStyles } from '../../src/components/join-styles.ts';

const own = 'background-image:url(data:image/webp;base64,AA==)';

test.each([
  ['nothing', undefined, own],
  ['an empty text', '', own],
  ['a text', 'color: red', `${own};color: red`],
  ['text that Astro has marked as HTML', new String('color: red'), `${own};color: red`],
  [
    'an object',
    { marginTop: 0, '--Gap': '1px', color: undefined },
    `${own};margin-top:0;--Gap:1px`,
  ],
  ['an object and a text', [{ marginTop: 0 }, 'color:red'], `${own};margin-top:0;color:red`],
])("puts the author's style after ours: %s", (_, written, joined) => {
  expect(joinStyles(own, written)).toBe(joined);
});

test("leaves the author's style unchanged if there is none of ours", () => {
  const written = { marginTop: 0 };
  expect(joinStyles(undefined, written)).toBe(written);
});
