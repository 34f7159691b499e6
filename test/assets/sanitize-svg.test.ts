import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { probeSvg } from '../../src/assets/formats/probe-svg.ts';
import { cleanCss, isOwnUrl } from '../../src/assets/svg/clean-css.ts';
import { loadSanitizer } from '../../src/assets/svg/sanitize-svg.ts';
import { cssUrls } from '../../src/scan/extract/css-urls.ts';

const { sanitize } = await loadSanitizer();

const root = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

/** The sanitized content of an SVG, without its root. */
function cleaned(content: string): string {
  return cleanedFile(`<svg ${root}>${content}</svg>`).replace(/^<svg[^>]*>|<\/svg>$/g, '');
}

function cleanedFile(text: string | Buffer): string {
  return sanitize(Buffer.from(text)).toString();
}

describe('keeps what an SVG draws:', () => {
  test.each([
    '<g id="body" class="a"><path d="M0 0L9 9" fill="url(#a)" stroke="red" transform="rotate(45)"/></g>',
    '<linearGradient id="a" gradientUnits="userSpaceOnUse"><stop offset="0"/></linearGradient>',
    '<style>.a{fill:url(#a)} @media (width &gt; 10px){.b{fill:red}}</style>',
    '<filter id="f"><feGaussianBlur stdDeviation="2"/><feDropShadow dx="1"/></filter>',
    '<clipPath id="c"><rect width="10" height="10" style="fill:red;filter:url(#f)"/></clipPath>',
    '<use href="#c" x="1"/>',
    '<text x="1"><tspan>1 &lt; 2 &amp; 3</tspan></text>',
    '<image href="data:image/png;base64,iVBORw0KGgo=" width="1"/>',
    '<circle r="5"><animate attributeName="r" from="5" to="9" dur="1s" repeatCount="indefinite"/></circle>',
    '<rect><animateTransform attributeName="transform" type="rotate" values="0;360"/></rect>',
    '<a href="https://www.example.org/"><text>Harbour</text></a>',
    '<title>Harbour</title><desc>A map</desc>',
  ])('%s', (content) => {
    expect(cleaned(content)).toBe(content);
  });

  test.each([
    [
      'a style in CDATA',
      '<style><![CDATA[a>b{fill:red}]]></style>',
      '<style>a&gt;b{fill:red}</style>',
    ],
    ['an SVG 1.1 link', '<use xlink:href="#a"/>', '<use href="#a"/>'],
    ['the newer of two links', '<use xlink:href="#a" href="#b"/>', '<use href="#b"/>'],
    [
      'any prefix for SVG',
      '<s:g xmlns:s="http://www.w3.org/2000/svg"><s:path/></s:g>',
      '<g><path/></g>',
    ],
    [
      'an embedded font',
      '<style>@font-face{src:url("data:font/woff2;base64,AAAA")}</style>',
      undefined,
    ],
  ])('%s', (_, content, expected) => {
    expect(cleaned(content)).toBe(expected ?? content);
  });

  test('a root with a prefix, a declared encoding, and the entities of a drawing program', () => {
    const text = `<?xml version="1.0" encoding="iso-8859-1"?>\n<!-- Drawn > by hand -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY quay 'Kai "Nord"'>
]>\n<s:svg xmlns:s="&ns_svg;" width="10"><s:text fill="&quay;">&quay; \u00f8</s:text></s:svg>`;
    expect(cleanedFile(Buffer.from(text, 'latin1'))).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="10"><text fill="Kai &quot;Nord&quot;">Kai "Nord" ø</text></svg>',
    );
  });
});

describe('removes what could run:', () => {
  test.each([
    ['a script', '<script>alert(1)</script>', ''],
    ['a script in CDATA', '<script><![CDATA[alert(1)]]></script>', ''],
    ['a script elsewhere', '<script href="https://evil.example/a.js"/>', ''],
    [
      'a script with a prefix',
      '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>',
      '',
    ],
    ['an HTML script', '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>', ''],
    [
      'a handler',
      '<g onclick="alert(1)" ONLOAD="alert(1)"><path onfocus="alert(1)"/></g>',
      '<g><path/></g>',
    ],
    [
      'a handler of an animation',
      '<set onbegin="alert(1)" attributeName="fill"/>',
      '<set attributeName="fill"/>',
    ],
    ['a handler in a nested SVG', '<svg onload="alert(1)"><path/></svg>', '<svg><path/></svg>'],
    ['a link that runs', '<a href="javascript:alert(1)"><path/></a>', '<a><path/></a>'],
    ['such a link in entities', '<a xlink:href="&#106;ava&#x73;cript:alert(1)"/>', '<a/>'],
    [
      'such a link with spaces',
      '<a href=" \u0001java&#9;scr&#10;ipt&#x3a;alert(1)"/>'.replace('\u0001', ''),
      '<a/>',
    ],
    ['such a link in capitals', '<a href="JaVaScRiPt:alert(1)"/>', '<a/>'],
    ['a link to data', '<a href="data:text/html,%3Cscript%3Ealert(1)%3C/script%3E"/>', '<a/>'],
    ['a use of data', '<use href="data:image/svg+xml,%3Csvg/%3E#a"/>', '<use/>'],
    ['an SVG as an image', '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>', '<image/>'],
    [
      'an animated link',
      '<a><animate attributeName="href" to="javascript:alert(1)"/></a>',
      '<a><animate/></a>',
    ],
    ['an animated SVG 1.1 link', '<set attributeName="xlink:href" to="data:,"/>', '<set/>'],
    [
      'an animated link by another prefix',
      '<set xmlns:x="http://www.w3.org/1999/xlink" attributeName="x:href"/>',
      '<set/>',
    ],
    ['an animated handler', '<set attributeName="onclick" to="alert(1)"/>', '<set to="alert(1)"/>'],
    [
      'a foreign object',
      '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">a</p><path/></foreignObject>',
      '',
    ],
    ['HTML', '<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example/"/>', ''],
    [
      'HTML below a foreign element',
      '<x xmlns="urn:x"><path xmlns="http://www.w3.org/2000/svg" onclick="a()"/></x>',
      '',
    ],
    [
      'instructions and comments',
      '<?xml-stylesheet href="https://evil.example/a.xsl"?><!-- a --><path/>',
      '<path/>',
    ],
    ['metadata', '<metadata>Ingrid Holm</metadata>', ''],
    [
      'a style whose text would end it in HTML',
      '<style>&lt;/style>&lt;script>alert(1)&lt;/script></style>',
      '',
    ],
    [
      'such a style in CDATA',
      '<style><![CDATA[</style><img src=x onerror=alert(1)>]]></style>',
      '',
    ],
    [
      'such text in an attribute',
      '<path id="&lt;/style>&lt;img src=x onerror=alert(1)>"/>',
      '<path/>',
    ],
    [
      'markup in a title',
      '<title>&lt;/title>&lt;script>alert(1)&lt;/script></title>',
      '<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>',
    ],
  ])('%s', (_, content, expected) => {
    expect(cleaned(content)).toBe(expected);
  });

  test('an instruction before the root', () => {
    expect(
      cleanedFile(
        `<?xml-stylesheet type="text/xsl" href="https://evil.example/a.xsl"?><svg ${root}/>`,
      ),
    ).toBe('<svg xmlns="http://www.w3.org/2000/svg"/>');
  });
});

describe('removes what could be fetched:', () => {
  test.each([
    ['<use href="https://evil.example/a.svg#a"/>', '<use/>'],
    ['<use href="//evil.example/a.svg#a"/>', '<use/>'],
    ['<use href="a.svg#a"/>', '<use/>'],
    ['<image href="https://evil.example/a.png"/>', '<image/>'],
    ['<image xlink:href="/a.png"/>', '<image/>'],
    ['<feImage href="https://evil.example/a.png"/>', '<feImage/>'],
    ['<linearGradient href="https://evil.example/a.svg#b"/>', '<linearGradient/>'],
    ['<textPath href="a.svg#b"/>', '<textPath/>'],
    ['<g xml:base="https://evil.example/"><use href="#a"/></g>', '<g><use href="#a"/></g>'],
    ['<path fill="url(https://evil.example/a.svg#b)"/>', '<path/>'],
    ['<path filter="u\\72 l(\'//evil.example/a.svg#b\')" r="1"/>', '<path r="1"/>'],
    [
      '<animate attributeName="fill" values="red;url(https://evil.example/#a)"/>',
      '<animate attributeName="fill"/>',
    ],
    [
      '<path style="fill:url(https://evil.example/#a);stroke:red"/>',
      '<path style="fill:removed;stroke:red"/>',
    ],
    [
      '<style>@import "https://evil.example/a.css"; a{fill:red}</style>',
      '<style>@removed "https://evil.example/a.css"; a{fill:red}</style>',
    ],
    ['<style>@\\69mport url(//evil.example/a.css);</style>', '<style>@removed removed;</style>'],
    [
      '<style>@font-face{src:url("https://evil.example/a.woff")}</style>',
      '<style>@font-face{src:removed("https://evil.example/a.woff")}</style>',
    ],
    [
      '<style>a{background:image-set("https://evil.example/a.png" 1x)}</style>',
      '<style>a{background:removed("https://evil.example/a.png" 1x)}</style>',
    ],
    [
      '<style>a{background:url(data:image/svg+xml,%3Csvg/%3E)}</style>',
      '<style>a{background:removed}</style>',
    ],
  ])('%s', (content, expected) => {
    expect(cleaned(content)).toBe(expected);
  });

  test('a second URL', () => {
    expect(cleanCss(`a{fill:url('#a' "https://evil.example/")}`)).toBe(
      `a{fill:removed('#a' "https://evil.example/")}`,
    );
  });

  test('reads a long style sheet', () => {
    const css = '.a{fill:red}'.repeat(50_000);
    expect(cleanCss(css)).toBe(css);
  });

  test('a style sheet in any notation fetches nothing from outside the file', () => {
    const part = fc.constantFrom(
      'url(',
      'u\\72l(',
      'URL(',
      '"//e"',
      "'#a'",
      '//e',
      ')',
      '(',
      ' ',
      '/*',
      '*/',
      '@import',
      '@IMPORT',
      ';',
      '{',
      '}',
      ':',
      'image-set(',
      'src(',
      '\\',
      '#a',
      'a',
      ',',
      '\n',
      '"',
      "'",
      'var(--a)',
      'data:image/png;,',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const { urls, imports } = cssUrls(cleanCss(parts.join('')));
        expect(imports).toEqual([]);
        expect(urls.filter((url) => !isOwnUrl(url))).toEqual([]);
      }),
    );
  });
});

test('sanitizing any SVG twice gives the same as once', () => {
  const name = fc.constantFrom(
    'g',
    'path',
    'script',
    'style',
    'use',
    'a',
    'title',
    'x:g',
    'foreignObject',
    'svg',
    'animate',
  );
  const attribute = fc.tuple(
    fc.constantFrom(
      'href',
      'xlink:href',
      'style',
      'fill',
      'onclick',
      'attributeName',
      'xml:base',
      'id',
    ),
    fc.constantFrom(
      '#a',
      'javascript:a()',
      'url(//e)',
      'url(#a)',
      'href',
      '&lt;/style>',
      'data:,a',
      ']]&gt;',
    ),
  );
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('a', '&lt;b>', '<![CDATA[</style>]]>', '<!-- a -->', '<?a b?>'),
      fc
        .tuple(
          name,
          fc.uniqueArray(attribute, { maxLength: 3, selector: ([key]) => key }),
          fc.array(tie('tree'), { maxLength: 3 }),
        )
        .map(([tag, attributes, children]) => {
          const written = attributes.map(([key, value]) => ` ${key}="${value}"`).join('');
          return `<${tag}${written}>${children.join('')}</${tag}>`;
        }),
    ),
  }));
  const forbidden =
    /<(script|foreignObject)|<[^>]* (onclick|xml:base)=|\/\/e|xmlns:|href="[^#]|<style>[^<]*&lt;\//;
  fc.assert(
    fc.property(tree, (content) => {
      const once = cleanedFile(`<svg ${root} xmlns:x="urn:x">${content}</svg>`);
      expect(once).not.toMatch(forbidden);
      expect(cleanedFile(once)).toBe(once);
    }),
    { numRuns: 60 },
  );
});

describe("refuses a file that isn't a valid SVG:", () => {
  const many = (text: string, times: number) => text.repeat(times);
  test.each([
    ['nothing', '', "it's empty"],
    ['broken XML', `<svg ${root}><path>`, "it isn't well-formed XML"],
    [
      'another root',
      '<html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>',
      "its root isn't an `svg`",
    ],
    ['no namespace', '<svg/>', "its root isn't an `svg`"],
    [
      'an external entity',
      `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg ${root}>&a;</svg>`,
      "it isn't well-formed XML",
    ],
    [
      'an entity that contains entities',
      `<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><svg ${root}>&c;</svg>`,
      "it isn't well-formed XML",
    ],
    [
      'entities that expand too much',
      `<!DOCTYPE svg [<!ENTITY a "${many('b', 9000)}">]><svg ${root}>${many('&a;', 9000)}</svg>`,
      'its entities make it too large',
    ],
    [
      'an unclosed document type',
      `<!DOCTYPE svg [ <svg ${root}/>`,
      'its document type is too long',
    ],
    ['another encoding', Buffer.from(`<svg ${root}>\xe9</svg>`, 'latin1'), "it isn't valid UTF-8"],
    [
      'deep nesting',
      `<svg ${root}>${many('<g>', 501)}${many('</g>', 501)}</svg>`,
      'its elements are nested too deeply',
    ],
    [
      'too many attributes',
      `<svg ${root} ${Array.from({ length: 600 }, (_, at) => `a${at}=""`).join(' ')}/>`,
      'too many attributes',
    ],
  ])('%s', (_, text, reason) => {
    expect(() => probeSvg(Buffer.from(text))).toThrow(reason);
    expect(() => sanitize(Buffer.from(text))).toThrow(reason);
  });

  test('one with too many elements', () => {
    expect(() => cleaned(many('<g/>', 250_001))).toThrow('it has too many elements');
  });
});

describe('an SVG that uses its own elements', () => {
  const level = (at: number, uses: number) =>
    `<g id="a${at}">${`<use href="#a${at - 1}"/>`.repeat(uses)}</g>`;

  test('often is kept', () => {
    const content = `<defs><path id="a0"/>${level(1, 20)}${level(2, 20)}</defs><use href="#a2"/>`;
    expect(cleaned(content)).toBe(content);
  });

  test.each([
    ["so often that it can't be drawn", Array.from({ length: 12 }, (_, at) => level(at, 10))],
    ['in a circle', ['<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>']],
    ['in a long chain', Array.from({ length: 2500 }, (_, at) => level(at, 1)).reverse()],
    [
      'so often by encoded names',
      Array.from({ length: 12 }, (_, at) => level(at, 10).replaceAll('#a', '#%61')),
    ],
  ])('%s is refused', (_, levels) => {
    expect(() => cleaned(levels.join(''))).toThrow(
      /it draws too many|reference each other too deeply|references itself/,
    );
  });
});
