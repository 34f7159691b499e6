import { describe, expect, test } from 'vitest';
import { pageImages, visibleText } from '../../../src/scan/extract/page-images.ts';
import { pageElements, readPage } from '../../../src/scan/read/read-page.ts';

const page = 'https://www.example.org/boats/';
const read = (html: string) => pageImages({ text: html, elements: pageElements({ html, page }) });
const only = (html: string) => read(html).images[0];

describe("the language is the image's own, or the page's", () => {
  test.each([
    ['<html lang="en"><p><img>', 'en'],
    ['<html lang="en"><img lang="nb">', 'nb'],
    ['<html lang="en"><div lang="de"></div><img>', 'en'],
    ["<!doctype html>\n<HTML class='a'\n LANG = en-GB ><img>", 'en-GB'],
    ['<html lang="en"><img lang="">', undefined],
    ['<html hreflang="en"><img>', undefined],
    ['<!--[if lt IE 9]><html lang="en"><![endif]--><html lang="de"><img>', 'de'],
    ['<html data-x=\'a>b\' lang="de"><img>', 'de'],
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
    '<title>T</title><style>s</style><p>©&nbsp;Ad&aacute; <b title="a > b">Berg</b></p><template>t</template><script>"<img>"</script><!-- c --><p>end';
  expect(visibleText(html).replace(/\s+/g, ' ').trim()).toBe('© Adá Berg end');
});

test('the labels are those of assets', () => {
  const html = '<i data-media-asset-label="4711">AI</i><p data-media-asset-label="4712 x">';
  expect(read(html).labelled).toEqual([4711, 4712]);
});

test('a list of credits has assets', () => {
  const html =
    '<li id="media-credit-4711"><li id="media-credit--5"><p id="media-credit-x"><p id="4">';
  expect(read(html).listed).toEqual([4711, -5]);
});

test('tags alone give the same as a parser', () => {
  const html = `<!doctype html><html lang="en"><title>Boats</title>
    <picture><source data-media-asset="1" srcset="a 1x"> <source data-media-asset="1" srcset="b" media="print">
    <img data-media-asset="1" alt="A &amp; b" src="c" width="3" height="2" aria-hidden="true"></picture>
    <i data-media-asset-label="1">AI</i><ul><li id="media-credit-1">Ada</li></ul>`;
  const tags = readPage(Buffer.from(html), page);
  const [text, elements] = [tags.text, tags.elements()];
  expect(elements).toHaveLength(7);
  expect(pageImages({ text, elements })).toEqual(read(html));
  expect(read(html).images).toMatchObject([{ alt: 'A & b', marked: [1] }]);
});

test("an image in an attribute isn't read", () => {
  expect(read('<iframe srcdoc="<img>"></iframe>').images).toEqual([]);
});

// If each character is compared with all others, it takes more than the minute of a test.
test('long attributes, such as inlined images, take no time', () => {
  const inlined = `data:image/png;base64,${'A'.repeat(200_000)}`;
  const image = only(`<img srcset="${inlined} 1x, b 2x" src="s" alt="Quay">`);
  expect(image).toMatchObject({ alt: 'Quay', urls: ['s', inlined, 'b'] });
});
