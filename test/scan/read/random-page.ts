import fc from 'fast-check';

/** Elements, including all with special rules in a parser. */
const names = fc.constantFrom(
  ...'a address annotation-xml article aside audio b base body br button caption col colgroup datalist dd desc details dialog div dl dt em fieldset figcaption figure font foreignObject footer form frameset g h1 h2 head header hr html i iframe image img input label legend li linearGradient link listing main math menu meta mi mtext nav nobr noframes noscript object ol optgroup option p path picture plaintext pre rp rt ruby script search section select slot small source span strong style summary svg table tbody td template textarea tfoot th thead title tr track u ul use video wbr xmp my-card astro-island'.split(
    ' ',
  ),
);
/** The usual children of an element, so that many pages are well formed. */
const natural: Readonly<Record<string, string>> = {
  ul: 'li',
  ol: 'li',
  dl: 'dt dd div',
  table: 'tbody tr caption colgroup thead script',
  tbody: 'tr',
  thead: 'tr',
  tr: 'td th',
  colgroup: 'col',
  select: 'option optgroup button hr',
  optgroup: 'legend option',
  option: 'span img picture svg',
  button: 'selectedcontent img',
  ruby: 'rt rp',
  svg: 'path g title image linearGradient a use foreignObject',
  math: 'mi mtext mrow',
  picture: 'source img',
  head: 'meta link title style script noscript template base',
};
/** Without elements in them: browsers replace those of `selectedcontent`. */
const texts = new Set(['title', 'style', 'script', 'textarea', 'iframe', 'selectedcontent']);
const voids = new Set('br hr img input source track wbr link meta base col'.split(' '));

const rendition = (id: number) =>
  `/_astro/media-asset/${id}-0123456789abcdef-fedcba9876543210-harbour.webp`;

const attributeName = fc.constantFrom(
  ...'data-src data-bg ping onclick my-image alt src href xlink:href poster content data background srcset imagesrcset style data-media-asset rel type charset http-equiv props lang class SRC Data-Media-Asset srcdoc color fill clip-path as onload datamediaasset data-mediaasset data-media-asset-credits data-media-asset-failed Data-Media-Asset-Unavailable'.split(
    ' ',
  ),
);
const attributeValue = fc.constantFrom(
  rendition(1),
  rendition(-1),
  `${rendition(2)} 1x, /boat.webp 2x`,
  `/a.webp 1w,${rendition(3)}\n 20w , ${rendition(4)} 1q`,
  `url(${rendition(5)})`,
  `url("/_astro/med\\69 a-asset/6-0123456789abcdef-fedcba9876543210-harbour.webp")`,
  `&#x2f;_astro/media-asset/7-0123456789abcdef-fedcba9876543210-harbour.webp`,
  '/_astro/media-as\tset/8-0123456789abcdef-fedcba9876543210-harbour.webp',
  'https://media.example.org/1/file/9/download/0',
  'https://media.example.org/1/file/10/down&Tab;load/0',
  `{&quot;a&quot;:[0,&quot;${rendition(11)}&quot;]}`,
  `/.netlify/images?url=${rendition(18)}`,
  `/_image?href=${encodeURIComponent(rendition(19))}&w=640 1x`,
  `/resize?from=${encodeURIComponent(rendition(20))}`,
  rendition(24).replaceAll('-', '%2D'),
  `/resize?from=${rendition(21).replaceAll('/', '&amp;#x2f;')}`,
  ...[
    '[object Object]',
    '[object Object] 1x, /boat.webp 2x',
    '12',
    '12 -13x',
    '/a.css',
    'preload',
    'style',
    'stylesheet',
    'STYLESHEET icon',
    'stylesheet&#9;',
    'refresh',
  ],
  ...['content-type', '0;url=/b', '2;url=/b', 'text/html; charset=latin1', 'latin1', 'utf-8'],
  ...['application/ld+json', 'application/ld&plus;json', 'æ>ø', '&notit;', '&copy=1', '<b>', ''],
);

const attribute = fc
  .tuple(
    attributeName,
    attributeValue,
    fc.constantFrom('"', '"', '"', "'", '', 'alone'),
    fc.constantFrom(' ', ' ', '\n', '\r\n', '\t', ' / '),
    fc.constantFrom('=', '=', '=', ' = ', '=\n'),
    fc.constantFrom(...Array(20).fill(''), 'x=1'),
  )
  .map(([name, value, quote, blank, equals, behind]) => {
    if (quote === 'alone') return `${blank}${name}`;
    const inside =
      quote === '' ? value.replaceAll(/[\s"'>]/g, '') : value.replaceAll(quote, '&quot;');
    return `${blank}${name}${equals}${quote}${inside}${quote}${behind}`;
  });

const text = fc.constantFrom(
  ...[
    '',
    '',
    '',
    ' ',
    '\n',
    '\r\n',
    '\r',
    'Boats',
    'a &amp; b',
    '&nbsp;',
    'é',
    '< ',
    'a<1',
    rendition(14),
  ],
  ...['@import "/b.css";', `a{--b:"${rendition(15)}"}`, 'a{content:"\\2014"}'],
  ...[
    `a{background:url(/resize?from=${encodeURIComponent(rendition(22))})}`,
    `a{background:url(/resize?from=${rendition(23).replaceAll('/', '&#x2f;')})}`,
    `{"a":"${rendition(16)}"}`,
    'Redirecting to: /b',
    '<!-- a -->',
    '<!-->',
    '<!--->',
    '<!----!>',
  ],
  ...[
    '<!-- <img data-media-asset=17> --!>',
    '<!-- <script> </script>',
    '<![CDATA[ a ]]>',
    '<?php ?>',
    '<!doctype html>',
  ],
  ...['</>', '</ a>', '<!a>', '\uFEFF'],
);

/** True once in `n` times. */
const rarely = (n: number) => fc.nat(n - 1).map((number) => number === 0);

function element(depth: number, parent: string): fc.Arbitrary<string> {
  const fitting = natural[parent];
  const name = fitting
    ? fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...fitting.split(' ')) }, names)
    : names;
  return name.chain((name) =>
    fc
      .record({
        // Nearly every element names an asset, so that the test sees it.
        id: fc.nat(99),
        attributes: fc.array(attribute, { maxLength: 2 }),
        inside: texts.has(name)
          ? fc.array(text, { maxLength: 2 })
          : fc.array(content(depth - 1, name), { maxLength: depth > 0 ? 3 : 0 }),
        upperCase: rarely(30),
        selfClosing: rarely(16),
        open: rarely(60),
      })
      .map(({ id, attributes, inside, upperCase, selfClosing, open }) => {
        const written = upperCase ? name.toUpperCase() : name;
        const names = id < 9 ? '' : ` data-media-asset="${id}"`;
        const start = `<${written}${names}${attributes.join('')}${selfClosing ? '/' : ''}>`;
        return voids.has(name) ? start : `${start}${inside.join('')}${open ? '' : `</${name}>`}`;
      }),
  );
}

function content(depth: number, parent: string): fc.Arbitrary<string> {
  if (depth <= 0) return text;
  const inner = element(depth, parent);
  return natural[parent] ? inner : fc.oneof(text, inner, inner);
}

/** Text that breaks a page. */
const damage = fc.constantFrom(
  ...['<', '>', '"', "'", '/', '=', ' ', '&', '</p>', '<p>', '<table>', '</a>', '</div>', '-->'],
  ...['<!--', '</script>', '<script>', '<svg>', '</title>', '<plaintext>', '\u0000'],
);

/**
 * Ordinary pages and broken ones: with elements in right and wrong places, some unclosed, with any
 * kind of attribute and text.
 */
export const randomPage: fc.Arbitrary<string> = fc
  .record({
    mark: rarely(20),
    doctype: fc.constantFrom('', '<!DOCTYPE html>'),
    whole: fc.boolean(),
    title: fc.constantFrom(...Array(8).fill('<title>Boats &amp; s&eacute;a</title>'), ''),
    head: fc.array(element(1, 'head'), { maxLength: 4 }),
    behindHead: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, text),
    body: fc.array(content(4, ''), { maxLength: 5 }),
    end: fc.constantFrom('', '\n', '<!-- a -->', ' <b>'),
    broken: fc.option(fc.tuple(fc.nat(), damage, fc.nat(3)), { freq: 4 }),
  })
  .map(({ mark, doctype, whole, title, head, behindHead, body, end, broken }) => {
    const inHead = `${title}${head.join('')}`;
    const html = whole
      ? `<html><head>${inHead}</head>${behindHead}<body>${body.join('')}</body></html>${end}`
      : `${title}${body.join('')}`;
    const page = `${mark ? '\uFEFF' : ''}${doctype}${html}`;
    if (!broken) return page;
    const [place, piece, gone] = broken;
    const at = place % (page.length + 1);
    return `${page.slice(0, at)}${piece}${page.slice(at + gone)}`;
  });
