import { describe, expect, test } from 'vitest';
import { parseSvg, probeSvg } from '../../../src/assets/formats/probe-image.ts';

const root = 'xmlns="http://www.w3.org/2000/svg"';

test('reads a long attribute', () => {
  const d = `M${'10 20 '.repeat(20_000)}`;
  const drawing = `<svg ${root} data-d="${d}"><path d="${d}"/></svg>`;
  expect(parseSvg(Buffer.from(drawing)).get('data-d')).toBe(d);
});

test('reads the entities that drawing programs declare for namespaces', () => {
  const drawing = `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator's export -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!-- it's > here -->
  <!ENTITY ns_svg "http://www.w3.org/2000/svg">
  <!ENTITY ns_ai 'http://ns.adobe.com/AdobeIllustrator/10.0/'>
]>
<svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" i:viewOrigin="1 2" width="48"><text>&ns_ai;</text></svg>`;
  expect([...parseSvg(Buffer.from(drawing))]).toEqual([['width', '48']]);
});

describe('the size of an SVG', () => {
  test.each([
    ['width="40" height="30"', 40, 30],
    ['width="40px" height="30.6px" viewBox="0 0 4 3"', 40, 31],
    ['width="1in" height="72pt"', 96, 96],
    ['width="25.4mm" height="2.54cm"', 96, 96],
    ['width="1e2" height="+5pc"', 100, 80],
    ['viewBox="0 0 24 12"', 24, 12],
    ['viewBox="-5,-5 , 24 12"', 24, 12],
    ['width="48" viewBox="0 0 24 12"', 48, 24],
    ['height="48" viewBox="0 0 24 12"', 96, 48],
    ['width="100%" height="100%" viewBox="0 0 24 12"', 24, 12],
    ['width="48"', 48, 150],
    ['', 300, 150],
    ['width="0" height="-4"', 300, 150],
    ['width="NaN" height="1e999" viewBox="0 0 0 0"', 300, 150],
    ['width="0.2" height="0.4"', 1, 1],
    ['width="1000000" height="500000"', 65_535, 32_767],
    ['width="2em" height="3ex" viewBox="0 0 24 12 5"', 300, 150],
  ])('with %s is %i × %i pixels', (attributes, width, height) => {
    expect(probeSvg(Buffer.from(`<svg ${root} ${attributes}/>`))).toEqual({ width, height });
  });
});
