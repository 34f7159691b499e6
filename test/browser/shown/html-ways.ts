import type { Way } from './way.ts';

/** Elements and attributes that browsers fetch. */
export const htmlWays: readonly Way[] = [
  ['an <img>', '<img src="{url}">'],
  ['an <img> that is lazy', '<img loading="lazy" src="{url}">'],
  ['an <img> far down the page', '<p style="height: 3000px"></p><img src="{url}">'],
  ['an <img> that is hidden', '<img hidden src="{url}">'],
  ['an <img> without quotes', '<img src={url} >'],
  ['an <img> in capitals', '<IMG SRC="{url}">'],
  ['an <img> with a line break in its URL', '<img src="{broken}">'],
  ['an <img> with entities', '<img src="&#x2f;{path}">'],
  ['an <img> with spaces around its URL', '<img src="  {url}  ">'],
  ['an <img> with backslashes', '<img src="{backslashes}">'],
  ['an <img> with an absolute URL', '<img src="{site}{url}">'],
  ['an <img> without the scheme', '<img src="{host}{url}">'],
  ['an <img> with a query', '<img src="{url}?v=2#top">'],
  ['an <img> with dots in its path', '<img src="/a/../{path}">'],
  ['an <img> below a <base>', '<base href="/_astro/"><img src="{name}">'],
  ['an <img> below a <base> of its folder', '<base href="/_astro/media-asset/"><img src="{file}">'],
  ['an <img> with %2D for hyphens', '<img src="{hyphens}">'],
  ['an <img> with escaped letters', '<img src="{letters}">'],
  ['an <img> of the service', '<img src="{service}">'],
  ['an <img> of the service with escaped letters', '<img src="{serviceLetters}">'],
  ["an <img> of Vercel's image service", '<img src="/_vercel/image?url={encoded}&amp;w=640">'],
  ["an <img> of Astro's image service", '<img src="/_image?href={encoded}">'],
  ["an <img> of Cloudflare's image service", '<img src="/cdn-cgi/image/width=80{url}">'],
  ['the old name <image>', '<image src="{url}">'],
  ['an <img> in a <picture>', '<picture><img src="{url}"></picture>'],
  ['an <img> in a table', '<table><tr><td><img src="{url}"></table>'],
  ['an <img> that a table moves', '<table><img src="{url}"><tr><td>a</table>'],
  ['an <img> in a closed <details>', '<details><img src="{url}"></details>'],
  ['an <img> in a <dialog>', '<dialog><img src="{url}"></dialog>'],
  ['an <img> in an <object>', '<object data="/none"><img src="{url}"></object>'],
  ['an <img> in a <video>', '<video><img src="{url}"></video>'],
  ['an <img> in a <canvas>', '<canvas><img src="{url}"></canvas>'],
  ['an <img> in MathML', '<math><mtext><img src="{url}"></mtext></math>'],
  ['an <img> after the body', '</body></html><img src="{url}">'],
  ['an <img> behind an odd comment', '<!--> <img src="{url}"> -->'],
  ['an <img> in a <noembed>', '<noembed></noembed><img src="{url}">'],
  ['a srcset', '<img srcset="{url}">'],
  ['a srcset with densities', '<img src="/a.webp" srcset="{url} 1x, /b.webp 2x">'],
  ['a srcset with widths', '<img src="/a.webp" srcset="/b.webp 1w, {url} 1280w" sizes="100vw">'],
  ['a srcset with the density -0', '<img srcset="{url} -0x">'],
  ['a srcset with the density 1e0', '<img src="/a.webp" srcset="{url} 1e0x">'],
  ['a srcset without spaces', '<img src="/a.webp" srcset="/b.webp 9x,{url} 1x">'],
  ['a srcset with commas at its end', '<img src="/a.webp" srcset="{url},">'],
  ['a srcset with lines', '<img src="/a.webp" srcset="\n\t{url}\n1x,\n/b.webp 2x">'],
  ['a srcset with widths and heights', '<img srcset="{url} 100w 50h" sizes="100px">'],
  ['a <source>', '<picture><source srcset="{url}"><img src="/a.webp"></picture>'],
  [
    'a <source> with a query',
    '<picture><source media="(width > 1px)" srcset="{url}"><img></picture>',
  ],
  [
    'a <source> with a type',
    '<picture><source type="image/webp" srcset="{url} 1x"><img></picture>',
  ],
  ['an image button', '<input type="image" src="{url}">'],
  ['a poster', '<video poster="{url}"></video>'],
  ['a <video>', '<video src="{url}" preload="auto"></video>'],
  [
    'a <source> of a <video>',
    '<video preload="auto"><source src="{url}" type="video/mp4"></video>',
  ],
  ['an <audio>', '<audio src="{url}" preload="auto"></audio>'],
  ['a <track>', '<video src="/a.mp4"><track default src="{url}"></video>'],
  ['an <object>', '<object data="{url}" type="image/webp"></object>'],
  ['an <object> without a type', '<object data="{url}"></object>'],
  ['an <embed>', '<embed src="{url}" type="image/webp">'],
  ['an <iframe>', '<iframe src="{url}"></iframe>'],
  ["an <iframe>'s own page", '<iframe srcdoc="<img src={url} >"></iframe>'],
  [
    'a page in a page in an <iframe>',
    `<iframe srcdoc="<iframe srcdoc='<img src={url} >'></iframe>"></iframe>`,
  ],
  [
    'an <iframe> with a style',
    '<iframe srcdoc="<style>body { background: url({url}) }</style>"></iframe>',
  ],
  ['the background of the body', '<body background="{url}">'],
  ['the background of a table', '<table background="{url}"><tr><td>a</table>'],
  ['the background of a row group', '<table><tbody background="{url}"><tr><td>a</table>'],
  ['the background of a row', '<table><tr background="{url}"><td>a</table>'],
  ['the background of a cell', '<table><tr><td background="{url}">a</table>'],
  ['a preloaded image', '<link rel="preload" as="image" href="{url}">'],
  ['a preloaded srcset', '<link rel="preload" as="image" imagesrcset="{url} 1x">'],
  ['a prefetched image', '<link rel="prefetch" href="{url}">'],
  ['a preloaded module', '<link rel="modulepreload" href="{url}">'],
  ['an image behind scripts', '<script>document.body</script><img src="{url}">'],
  [
    'an image in a shadow root',
    '<div><template shadowrootmode="open"><img src="{url}"></template></div>',
  ],
  [
    'a style in a shadow root',
    '<div><template shadowrootmode="open"><style>:host { background: url({url}) }</style>a</template></div>',
  ],
  ['a frame', '</head><frameset><frame src="{url}"></frameset>'],
];

/** A base of relative URLs. */
export const placeWays: readonly Way[] = [
  ['a <base> with %2D', '<base href="/_astro/media%2Dasset/"><img src="{file}">'],
  ['a <base> with a letter', '<base href="/_astro/med%69a-asset/"><img src="{file}">'],
];

/** Elements in a `<select>`, which browsers keep since 2025. */
export const selectWays: readonly Way[] = [
  ['an <img> in a <select>', '<select><img src="{url}"></select>'],
  ['an <img> in an <option>', '<select><option><img src="{url}">a</option></select>'],
  [
    'an <img> in an <optgroup>',
    '<select><optgroup label="a"><img src="{url}"><option>b</optgroup></select>',
  ],
  [
    'an <img> in the <legend> of an <optgroup>',
    '<select><optgroup><legend><img src="{url}"></legend><option>b</optgroup></select>',
  ],
  [
    'an <img> in the <button> of a <select>',
    '<select><button><img src="{url}"></button><option>b</select>',
  ],
  [
    'a <picture> in an <option>',
    '<select><option><picture><source srcset="{url} 1x"><img></picture></select>',
  ],
  ['a drawing in an <option>', '<select><option><svg><image href="{url}"/></svg></select>'],
  [
    'a <style> in a <select>',
    '<select><style>html { background: url({url}) }</style><option>b</select>',
  ],
  ['a table in a <select>', '<select><div><table><tr><td><img src="{url}"></table></div></select>'],
  ['a <select> in a table', '<table><tr><td><select><option><img src="{url}"></select></table>'],
  ['an <option> without an end', '<select><option>a<option><img src="{url}">b</select>'],
  ['a <select> that never ends', '<select><option><img src="{url}">'],
  ['a <select> in a <select>', '<select><option>a<select><img src="{url}"></select>'],
  ['an <input> in a <select>', '<select><option>a<input><img src="{url}"></select>'],
  [
    'a <select> in a shadow root',
    '<div><template shadowrootmode="open"><select><option><img src="{url}"></select></template></div>',
  ],
  [
    'a <select> in a page of an <iframe>',
    '<iframe srcdoc="<select><option><img src={url} ></select>"></iframe>',
  ],
];

/** Only code knows that these are fetched. The scan can only warn. */
export const warnedWays: readonly Way[] = [
  ['an <img> of another image service', '<img src="/resize?from={encoded}">'],
  [
    'prefetching rules',
    '<script type="speculationrules">{"prefetch":[{"urls":["{url}"]}]}</script>',
  ],
  [
    'an <iframe> in a base64 URL',
    '<iframe src="data:text/html;base64,[<img src={site}{url}>]"></iframe>',
  ],
  [
    'an <object> in a base64 URL',
    '<object data="data:text/html;base64,[<img src={site}{url}>]"></object>',
  ],
  [
    'an <iframe> with a <base>',
    '<iframe srcdoc="<base href=/_astro/media-asset/><img src={file}>"></iframe>',
  ],
  ['an inline script', '<script>new Image().src = "{url}"</script>'],
  ['an event handler', '<img src="/a.webp" onerror="new Image().src = \'{url}\'">'],
  [
    'a lazy-loading attribute',
    '<img data-src="{url}"><script>document.images[0].src = document.images[0].dataset.src</script>',
  ],
  [
    'JSON that a script reads',
    '<script type="application/json">["{url}"]</script><script>new Image().src = JSON.parse(document.scripts[0].text)[0]</script>',
  ],
];

/** Text and attributes that browsers don't fetch. */
export const unshownWays: readonly Way[] = [
  ['a comment', '<!-- <img src="{url}"> -->'],
  ['an alternative text', '<img alt="{url}">'],
  ['a textarea', '<textarea><img src="{url}"></textarea>'],
  ['a title', '<title><img src="{url}"></title>'],
  ['a srcset that browsers refuse', '<img srcset="{url} -1x">'],
  ['a comment in CSS', '<style>/* html { background: url({url}) } */</style>'],
  ['text in CSS', '<style>html::before { content: "{url}" }</style>'],
  ['a selector in CSS', '<style>a[href="{url}"] { color: red }</style>'],
  ['a script of another language', '<script type="text/plain"><img src="{url}"></script>'],
  [
    'an attribute that CSS reads',
    '<style>b { background: image-set(attr(data-a) 1x) }</style><b data-a="{url}">a</b>',
  ],
];

/** They count, because they're shown by other programs, to other visitors, or after a click. */
export const countedWays: readonly Way[] = [
  ['a link', '<a href="{url}">Plan</a>'],
  ['a social image', '<meta property="og:image" content="{site}{url}">'],
  ['JSON-LD', '<script type="application/ld+json">{"image":"{url}"}</script>'],
  [
    "an island's props",
    '<astro-island props="{&quot;a&quot;:[0,&quot;{url}&quot;]}"></astro-island>',
  ],
  ['an <img> for visitors without scripts', '<noscript><img src="{url}"></noscript>'],
  ['an <img> in a template', '<template><img src="{url}"></template>'],
  ['the icon of the page', '<link rel="icon" href="{url}">'],
  ['an unused rule of CSS', '<style>.unused { background: url({url}) }</style>'],
  ['an <img> of other windows', '<picture><source media="print" srcset="{url}"><img></picture>'],
  ['a manifest', '<link rel="manifest" href="{url}">'],
  [
    'a style in an <option>',
    '<select><option><span style="background: url({url})">a</span></select>',
  ],
  [
    'an <img> in a <select> of a template',
    '<template><select><option><img src="{url}"></select></template>',
  ],
];
