import type { Way } from './way.ts';

const rect = (attributes: string) =>
  `<svg width="90" height="90"><rect width="90" height="90" ${attributes}/></svg>`;
const line = (attributes: string) =>
  `<svg width="90" height="90"><path d="M9 9L40 40L80 9" stroke="red" ${attributes}/></svg>`;

/** Drawings in a page. */
export const svgWays: readonly Way[] = [
  ['<image>', '<svg><image href="{url}" width="9" height="9"/></svg>'],
  ['<image> with xlink:href', '<svg><image xlink:href="{url}" width="9" height="9"/></svg>'],
  ['<image> without a size', '<svg><image href="{url}"/></svg>'],
  ['<image> in a <defs>', '<svg><defs><image href="{url}"/></defs></svg>'],
  ['<image> in a <pattern>', '<svg><pattern id="a"><image href="{url}"/></pattern></svg>'],
  ['<image> in a <symbol>', '<svg><symbol id="a"><image href="{url}"/></symbol></svg>'],
  [
    '<feImage>',
    '<svg><filter id="a"><feImage href="{url}"/></filter><rect filter="url(#a)" width="9" height="9"/></svg>',
  ],
  [
    '<feImage> with xlink:href',
    '<svg><filter id="a"><feImage xlink:href="{url}"/></filter><rect filter="url(#a)" width="9" height="9"/></svg>',
  ],
  ['<use>', '<svg><use href="{vector}#u"/></svg>'],
  ['<use> with xlink:href', '<svg><use xlink:href="{vector}#u"/></svg>'],
  ['<script>', '<svg><script href="{url}"></script></svg>'],
  ['<img> in a <foreignObject>', '<svg><foreignObject><img src="{url}"></foreignObject></svg>'],
  [
    'a style in a <foreignObject>',
    '<svg width="90" height="90"><foreignObject width="90" height="90"><b style="background: url({url})">a</b></foreignObject></svg>',
  ],
  ['<image> that is closed by HTML', '<svg><p><img src="{url}"></svg>'],
  ['<image> outside of an <svg>', '<p><image href="/a.webp" src="{url}">'],
  ['the attribute fill', rect('fill="url({vector}#g)"')],
  ['the attribute stroke', rect('stroke-width="9" stroke="url({vector}#g)"')],
  ['the attribute mask', rect('mask="url({vector}#m)"')],
  ['the attribute mask with an image', rect('mask="url({url})"')],
  ['the attribute clip-path', rect('clip-path="url({vector}#c)"')],
  ['the attribute filter', rect('filter="url({vector}#f)"')],
  ['the attribute filter with two', rect('filter="blur(1px) url(\'{vector}#f\')"')],
  ['the attribute cursor', rect('cursor="url({url}) 2 2, pointer"')],
  ['the attribute marker-start', line('marker-start="url({vector}#k)"')],
  ['the attribute marker-mid', line('marker-mid="url({vector}#k)"')],
  ['the attribute marker-end', line('marker-end="url({vector}#k)"')],
  ['fill in a style', rect('style="fill: url({vector}#g)"')],
  ['marker in a style', line('style="marker: url({vector}#k)"')],
  ['filter of a group', '<svg><g filter="url({vector}#f)"><rect width="9" height="9"/></g></svg>'],
  ['cursor of a drawing', '<svg width="900" height="900" cursor="url({url}), auto"></svg>'],
  ['mask of a drawing', '<svg width="90" height="90" mask="url({url})"></svg>'],
  ['background of a drawing', '<svg style="background: url({url})"></svg>'],
  ['a rule for fill', `<style>rect { fill: url({vector}#g) }</style>${rect('')}`],
  ['a drawing as a file', '<img src="{vector}">'],
  ['a part of a drawing as a file', '<img src="{vector}#u">'],
  ['a drawing as an <object>', '<object data="{vector}" type="image/svg+xml"></object>'],
  ['a drawing as an <embed>', '<embed src="{vector}">'],
];

/** Drawings in files of their own. */
const files = {
  'my d.svg': '<svg xmlns="http://www.w3.org/2000/svg"><image id="i" href="{url}"/></svg>',
  'css.svg':
    '<svg xmlns="http://www.w3.org/2000/svg"><style>@import "a.css"; svg { fill: red }</style></svg>',
  'a.css': 'svg { background: url({url}) }',
};

export const drawnWays: readonly Way[] = [
  ['an <object> with an image', '<object data="my d.svg"></object>', files],
  ['an <iframe> with an image', '<iframe src="my%20d.svg"></iframe>', files],
  ['an <embed> with an image', '<embed src="my d.svg">', files],
  ['a <use> of an image', '<svg><use href="my d.svg#i"/></svg>', files],
  ['an <object> with a stylesheet', '<object data="css.svg"></object>', files],
];

/** Attributes that an animation sets. */
export const animatedWays: readonly Way[] = [
  [
    '<image> that is animated',
    '<svg><image><animate attributeName="href" values="/a.webp;{url}" dur="1s" repeatCount="indefinite"/></image></svg>',
  ],
  ['<image> that is set', '<svg><image><set attributeName="href" to="{url}"/></image></svg>'],
  [
    '<image> that is set, with backslashes',
    '<svg><image><set attributeName="href" to="{backslashes}"/></image></svg>',
  ],
  [
    '<image> that is set, with a line break',
    '<svg><image><set attributeName="href" to="{broken}"/></image></svg>',
  ],
  [
    '<image> that is animated, with backslashes',
    '<svg><image><animate attributeName="href" values="/a.webp;{backslashes}" dur="1s" repeatCount="indefinite"/></image></svg>',
  ],
];
