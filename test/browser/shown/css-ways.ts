import type { Way } from './way.ts';

/** A rule for an element with content. */
const rule = (declaration: string) => `<style>b { ${declaration} }</style><b>a</b>`;

/** Stylesheets, and what they fetch. */
export const cssWays: readonly Way[] = [
  ['background', rule('background: url({url})')],
  ['background with quotes', rule('background: url("{url}") no-repeat')],
  ['background of several images', rule('background: none, url({url}), none')],
  ['background-image', rule("background-image: url('{url}')")],
  ['background with an escape', rule('background: url("{escaped}")')],
  ['background with an escaped name', rule('background: u\\72l({url})')],
  ['background in capitals', rule('BACKGROUND: URL({url})')],
  ['background with %2D for hyphens', rule('background: url({hyphens})')],
  ['background of the service', rule('background: url({service})')],
  ['border-image', rule('border: 9px solid; border-image: url({url}) 9')],
  ['list-style', rule('display: list-item; list-style: url({url})')],
  ['list-style-image', rule('display: list-item; list-style-image: url({url})')],
  ['content', rule('content: url({url})')],
  ['content of ::before', '<style>b::before { content: url({url}) }</style><b>a</b>'],
  [
    'content of ::marker',
    '<style>b { display: list-item } b::marker { content: url({url}) }</style><b>a</b>',
  ],
  [
    'content of a <details>',
    '<style>summary::marker { content: url({url}) }</style><details><summary>a</details>',
  ],
  ['cursor', rule('cursor: url({url}), auto')],
  ['mask', rule('mask: url({url})')],
  ['mask-image', rule('mask-image: url({url})')],
  ['-webkit-mask-image', rule('-webkit-mask-image: url({url})')],
  ['-webkit-mask-box-image', rule('-webkit-mask-box-image: url({url}) 9')],
  ['-webkit-border-image', rule('border: 9px solid; -webkit-border-image: url({url}) 9')],
  ['shape-outside', rule('float: left; shape-outside: url({url})')],
  ['clip-path', rule('display: block; clip-path: url({vector}#c)')],
  ['filter', rule('display: block; filter: url({vector}#f)')],
  ['backdrop-filter', rule('display: block; backdrop-filter: url({vector}#f)')],
  ['-webkit-box-reflect', rule('display: block; -webkit-box-reflect: below 0 url({url})')],
  ['image-set', rule('background: image-set(url({url}) 1x)')],
  ['image-set of a text', rule('background: image-set("{url}" 1x)')],
  ['-webkit-image-set', rule('background: -webkit-image-set("{url}" 1x)')],
  ['image-set with a type', rule('background: image-set("{url}" 1x type("image/webp"))')],
  ['cross-fade', rule('background: -webkit-cross-fade(url({url}), url({url}), 50%)')],
  ['image()', rule('background: image("{url}"); background: url({url})')],
  [
    'a font',
    '<style>@font-face { font-family: q; src: url({url}) } b { font-family: q }</style><b>a</b>',
  ],
  ['a custom property', rule('--a: url({url}); background: var(--a)')],
  ['a custom property with a text', rule('--a: "{url}"; background: image-set(var(--a) 1x)')],
  [
    'a custom property with half of a list',
    rule('--a: "{url}" 1x; background: image-set(var(--a))'),
  ],
  [
    'a custom property of the root',
    `<style>:root { --a: "{url}" }</style>${rule('background: image-set(var(--a) 1x)')}`,
  ],
  ['a custom property in capitals', rule('--A: "{url}"; background: image-set(var(--A) 1x)')],
  [
    'a custom property of a custom property',
    rule('--a: "{url}"; --b: var(--a); background: image-set(var(--b) 1x)'),
  ],
  [
    'a custom property with braces',
    rule('--a: {} "{url}"; --b: "{url}"; background: image-set(var(--b) 1x)'),
  ],
  ['the fallback of a custom property', rule('background: image-set(var(--none, "{url}") 1x)')],
  ['the fallback with a URL', rule('background: var(--none, url({url}))')],
  [
    'the initial value of a custom property',
    '<style>@property --a { syntax: "<string>"; inherits: false; initial-value: "{url}" }</style>' +
      rule('background: image-set(var(--a) 1x)'),
  ],
  [
    'a custom property in a style attribute',
    '<b style="--a: \'{url}\'; background: image-set(var(--a) 1x)">a</b>',
  ],
  [
    'a custom property in a style attribute, for a rule',
    '<style>b { background: image-set(var(--a) 1x) }</style><b style="--a:&quot;{url}&quot;">a</b>',
  ],
  [
    'a custom property in a keyframe',
    '<style>@keyframes k { to { --a: "{url}" } } b { animation: k 1s infinite; background: image-set(var(--a) 1x) }</style><b>a</b>',
  ],
  [
    'a function of CSS',
    '<style>@function --f() { result: "{url}" } b { background: image-set(--f() 1x) }</style><b>a</b>',
  ],
  [
    'the argument of a function of CSS',
    '<style>@function --f(--a) { result: var(--a) } b { background: image-set(--f("{url}") 1x) }</style><b>a</b>',
  ],
  [
    'the default of a function of CSS',
    '<style>@function --f(--a: "{url}") { result: var(--a) } b { background: image-set(--f() 1x) }</style><b>a</b>',
  ],
  ['if()', rule('background: image-set(if(else: "{url}") 1x)')],
  ['a style attribute', '<b style="background: url({url})">a</b>'],
  ['a style attribute with a text', '<b style="background: image-set(\'{url}\' 1x)">a</b>'],
  ['a nested rule', '<style>body { b { background: url({url}) } }</style><b>a</b>'],
  ['@media', '<style>@media (width > 1px) { b { background: url({url}) } }</style><b>a</b>'],
  ['@supports', '<style>@supports (color: red) { b { background: url({url}) } }</style><b>a</b>'],
  ['@layer', '<style>@layer a { b { background: url({url}) } }</style><b>a</b>'],
  ['@scope', '<style>@scope (body) { b { background: url({url}) } }</style><b>a</b>'],
  [
    '@container',
    '<style>body { container-type: inline-size } @container (width > 1px) { b { background: url({url}) } }</style><b>a</b>',
  ],
  [
    '@starting-style',
    '<style>b { transition: background 1s; @starting-style { background: url({url}) } }</style><b>a</b>',
  ],
  [
    '@keyframes',
    '<style>@keyframes k { to { background: url({url}) } } b { animation: k 1s infinite }</style><b>a</b>',
  ],
  ['a rule after mistakes', '<style>}} b { : ; ! } b { background: url({url}) }</style><b>a</b>'],
  ['a rule without an end', '<b>a</b><style>b { background: url("{url}")</style>'],
  ['a <style> in the body', '<b>a</b><style>b { background: url({url}) }</style>'],
  ['a <style> in a drawing', '<svg><style>b { background: url({url}) }</style></svg><b>a</b>'],
  [
    'a hovered element',
    '<style>b:hover { background: url({url}) } b { display: block; height: 500px }</style><b>a</b>',
  ],
  [
    '@import',
    '<style>@import "a.css";</style><b>a</b>',
    { 'a.css': 'b { background: url({url}) }' },
  ],
  [
    '@import with url()',
    '<style>@import url(a.css) screen;</style><b>a</b>',
    { 'a.css': 'b { background: url({url}) }' },
  ],
  [
    'a stylesheet',
    '<link rel="stylesheet" href="a.css"><b>a</b>',
    { 'a.css': 'b { background: url({url}) }' },
  ],
  [
    'a stylesheet with a custom property',
    '<link rel="stylesheet" href="a.css"><b>a</b>',
    { 'a.css': 'b { --a: "{url}"; background: image-set(var(--a) 1x) }' },
  ],
  [
    'a stylesheet of a stylesheet',
    '<link rel="stylesheet" href="a.css"><b>a</b>',
    { 'a.css': '@import "c/b.css";', 'c/b.css': 'b { background: url({url}) }' },
  ],
  [
    'a stylesheet that is preloaded',
    '<link rel="preload" as="style" href="a.css" onload="this.rel=\'stylesheet\'"><b>a</b>',
    { 'a.css': 'b { background: url({url}) }' },
  ],
  [
    'a stylesheet that is preloaded in capitals',
    '<link rel="PRELOAD" as="STYLE" href="a.css" onload="this.rel=\'stylesheet\'"><b>a</b>',
    { 'a.css': 'b { background: url({url}) }' },
  ],
  [
    'a stylesheet that is prefetched',
    '<link rel="prefetch" as="style" href="a.css" onload="this.rel=\'stylesheet\'"><b>a</b>',
    { 'a.css': 'b { background: url({url}) }' },
  ],
  [
    'a stylesheet that is fetched as data',
    '<link rel="preload" as="fetch" crossorigin href="a.css" onload="this.rel=\'stylesheet\'"><b>a</b>',
    { 'a.css': 'b { background: url({url}) }' },
  ],
  [
    'a stylesheet in a folder with a space',
    '<link rel="stylesheet" href="my theme/a.css"><b>a</b>',
    { 'my theme/a.css': 'b { background: url({url}) }' },
  ],
  [
    'a typed parameter of a function',
    '<style>@function --f(--a <string>: "{url}") { result: var(--a) } b { background: image-set(--f() 1x) }</style><b>a</b>',
  ],
  [
    'a stylesheet for print at first',
    '<link rel="stylesheet" media="print" href="a.css" onload="this.media=\'all\'"><b>a</b>',
    { 'a.css': 'b { background: url({url}) }' },
  ],
  [
    'a stylesheet of an alternative',
    '<link rel="alternate stylesheet" title="a" href="a.css" onload="this.rel=\'stylesheet\'"><b>a</b>',
    { 'a.css': 'b { background: url({url}) }' },
  ],
  [
    'a stylesheet in a drawing',
    '<svg><style>@import "a.css";</style></svg><b>a</b>',
    { 'a.css': 'b { background: url({url}) }' },
  ],
  [
    'a stylesheet of a page in an <iframe>',
    '<iframe srcdoc="<link rel=stylesheet href=a.css><b>a</b>"></iframe>',
    { 'a.css': 'b { background: url({url}) }' },
  ],
];

/** The scan doesn't take them apart. */
export const encodedCss: readonly Way[] = [
  [
    'a stylesheet in a base64 URL',
    '<link rel="stylesheet" href="data:text/css;base64,[b{background:url({site}{url})}]"><b>a</b>',
  ],
  [
    'a stylesheet of a stylesheet in a base64 URL',
    '<style>@import "data:text/css;base64,[b{background:url({site}{url})}]";</style><b>a</b>',
  ],
];

/** Chromium doesn't fetch them, but a scan can't tell. */
export const unfetchedCss: readonly Way[] = [
  ['offset-path', rule('display: block; offset-path: url({vector}#p)')],
  [
    'an attribute that CSS reads as a fallback',
    rule('background: image-set(attr(data-a, "{url}") 1x)'),
  ],
];
