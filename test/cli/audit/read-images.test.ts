import { describe, expect, test } from 'vitest';
import { readImages } from '../../../src/cli/audit/audit-pages.ts';

const only = (html: string) => readImages(html).images[0];

describe('the language is that of the nearest element with one', () => {
  test.each([
    ['<html lang="en"><p><img>', 'en'],
    ['<html lang="en"><p lang="de"><b></b><img>', 'de'],
    ['<html lang="en"><img lang="nb">', 'nb'],
    ['<html lang="en"><div lang="de"></div><img>', 'en'],
    ['<html lang="en"><p lang="de">Hafen<p><img>', 'en'],
    ['<html lang="en"><div lang=""><img>', undefined],
    ['<html lang="en"></div><br lang="de"><img>', 'en'],
    ['<img>', undefined],
  ])('%s', (html, language) => {
    expect(only(html)?.language).toBe(language);
  });
});

test.each([
  ['<img>', undefined],
  ['<img alt>', ''],
  ["<img ALT='&quot;Gull&quot; &amp;\n  crew'>", '"Gull" & crew'],
  ['<img alt="a" alt="b">', 'a'],
])('the alt text of %s', (html, alt) => {
  expect(only(html)?.alt).toBe(alt);
});

test.each([
  ['<img role="presentation">', true],
  ['<img aria-hidden="true">', true],
  ['<img aria-labelledby="a">', true],
  ['<img aria-label="">', false],
  ['<img aria-hidden="false">', false],
])('%s needs no alt text: %s', (html, needsNoAlt) => {
  expect(only(html)?.needsNoAlt).toBe(needsNoAlt);
});

const files = 'srcset="a 400w, b 800w, c 1600w"';

describe('the shown size, and the file for it', () => {
  test.each([
    ['<img src="s" width="300" height="200">', 300, 's'],
    [`<img src="s" ${files} width="900" height="600">`, 900, 'c'],
    [`<img ${files} sizes="(min-width: 800px) 800px, 100vw" width="800" height="600">`, 800, 'b'],
    [`<img ${files} sizes="auto, (min-width: 50rem) 25rem, 100vw" width="9" height="6">`, 400, 'a'],
    [`<img ${files} sizes="(max-width: 600px) 100vw, 50vw" width="9" height="6">`, 720, 'b'],
    [`<img ${files} sizes="calc(100vw - 2rem)" width="800" height="600">`, 800, 'b'],
    [`<img ${files} sizes="(min-width: 1px) min(1px, 2px)" width="400" height="6">`, 400, 'a'],
    [`<img ${files} width="4000" height="3000">`, 4000, 'c'],
    ['<img src="s" srcset="one 1x, two 2x" width="300" height="200">', 300, 'one'],
    ['<img src="s" srcset="one, two 2x" width="300" height="200">', 300, 'two'],
    [`<img ${files}>`, undefined, 'a'],
    [`<img ${files} width="100%" height="auto">`, undefined, 'a'],
    [`<img ${files} width="1e999" height="1">`, undefined, 'a'],
    [`<img ${files} sizes="${'9'.repeat(400)}px" width="800" height="6">`, 800, 'b'],
    [
      `<picture><source media="print" srcset="m"><source srcset="w 800w" sizes="800px"><img src="s" width="300" height="200"></picture>`,
      800,
      'w',
    ],
    ['<picture><source srcset="w"></picture><img src="s" width="3" height="2">', 3, 's'],
    ['<video><source src="v"></video><img src="s" width="3" height="2">', 3, 's'],
  ])('%s', (html, width, file) => {
    const image = only(html);
    expect({ width: image?.width, file: image?.file }).toEqual({ width, file });
  });

  test('the height follows from the attributes', () => {
    const image = only('<img width="300" height="200" sizes="600px">');
    expect(image).toMatchObject({ width: 600, height: 400 });
  });
});

test('the URLs of an image without a mark are its own and those of all sources', () => {
  const html =
    '<picture><source srcset="a 1x, b 2x" media="print"><source srcset="c"><img src="d" srcset="e 9w, d 10w"></picture>';
  expect(only(html)?.urls.toSorted()).toEqual(['a', 'b', 'c', 'd', 'd', 'e']);
  expect(only('<img data-media-asset="4711 4712" src="a" srcset="b 2x">')).toMatchObject({
    ...{ marked: [4711, 4712], urls: ['a'] },
  });
});

test('the text is what visitors see, with a space for each tag', () => {
  const html =
    '<title>T</title><style>s</style><p>©&nbsp;Ad&aacute; <b>Berg</b></p><template>t</template><script>"<img>"</script><!-- c --><p>end';
  const { images, text } = readImages(html);
  expect(images).toEqual([]);
  expect(text.replace(/\s+/g, ' ').trim()).toBe('© Adá Berg end');
});

test('the labels are those of assets', () => {
  const html = '<i data-media-asset-label="4711">AI</i><p data-media-asset-label="4712 x">';
  expect(readImages(html).labelled).toEqual([4711, 4712]);
});

test('a list of credits has assets', () => {
  const html =
    '<li id="media-credit-4711"><li id="media-credit--5"><p id="media-credit-x"><p id="4">';
  expect(readImages(html).listed).toEqual([4711, -5]);
});

test('a page that nests elements deeply is read', () => {
  const html = `${'<div lang="de">'.repeat(20_000)}<img>`;
  expect(only(html)?.language).toBe('de');
});

// If each character is compared with all others, it takes more than the minute of a test.
test('long attributes, such as inlined images, take no time', () => {
  const inlined = `data:image/png;base64,${'A'.repeat(200_000)}`;
  const image = only(`<img srcset="${inlined} 1x, b 2x" src="s" sizes="${','.repeat(9999)} 20px">`);
  expect(image).toMatchObject({ width: 20, file: 'b' });
});
