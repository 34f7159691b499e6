import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nearProp } from '../../src/images/near-prop.ts';

test.each([
  ['wdith', 'width'],
  ['Width', 'width'],
  ['hieght', 'height'],
  ['corp', 'crop'],
  ['cropp', 'crop'],
  ['placehoder', 'placeholder'],
  ['place-holder', 'placeholder'],
  ['layuot', 'layout'],
  ['atl', 'alt'],
  ['size', 'sizes'],
  ['widht', 'width'],
  ['width_s', 'widths'],
  ['denisties', 'densities'],
  ['prority', 'priority'],
  ['picture-attributes', 'pictureAttributes'],
  ['aspectRatio', 'aspect'],
  ['aspect-ratio', 'aspect'],
  ['objectFit', 'fit'],
  ['focalPoint', 'focus'],
  ['fallbackFormat', 'format'],
])('%s in place of %s', (attribute, prop) => {
  expect(nearProp('MediaAsset', attribute)).toBe(prop);
});

test.each([
  ['MediaFile', 'donwload', 'download'],
  ['MediaFile', 'nmae', 'name'],
  ['MediaVideo', 'postr', 'poster'],
  ['MediaVideo', 'wdith', 'width'],
  ['MediaVideo', 'contols', 'controls'],
] as const)('%s: %s in place of %s', (component, attribute, prop) => {
  expect(nearProp(component, attribute)).toBe(prop);
});

test.each([
  ...['x-data', 'x-fit', ':crop', '@click', 'v-crop', 'hx-get', 'ng-width', 'class:list', 'is:raw'],
  ...[
    'set:html',
    'client:load',
    'transition:name',
    'data-astro-reload',
    'data-width',
    'aria-widht',
  ],
  ...['about', 'property', 'typeof', 'vocab', 'itemprop', 'ismap', 'longdesc', 'border', 'align'],
  ...[
    'hspace',
    'name',
    'form',
    'className',
    'css',
    'tw',
    'sx',
    'onwidth',
    'constructor',
    '__proto__',
  ],
  ...['lightbox', 'zoom', 'caption', 'credit', 'group', 'layer', 'wide', 'clip', 'ratio', 'é', ''],
])("%s is nobody's slip", (attribute) => {
  for (const component of ['MediaAsset', 'MediaFile', 'MediaVideo'] as const)
    if (attribute !== 'name') expect(nearProp(component, attribute)).toBeUndefined();
});

test.each([
  ['MediaAsset', ['HTML', 'ImgHTML']],
  ['MediaFile', ['HTML', 'AnchorHTML']],
  ['MediaVideo', ['HTML', 'MediaHTML', 'VideoHTML']],
] as const)('%s has no attribute that Astro knows for another', async (component, kinds) => {
  const file = new URL('../../node_modules/astro/astro-jsx.d.ts', import.meta.url);
  const types = await readFile(fileURLToPath(file), 'utf8');
  const attributes = ['Aria', 'DOM', ...kinds].flatMap((kind) => {
    const [, body = ''] =
      new RegExp(`interface ${kind}Attributes .*?{(.*?)\\n\\t}`, 's').exec(types) ?? [];
    return Array.from(body.matchAll(/^\t\t'?([\w:-]+)'?\??:/gm), ([, name = '']) => name);
  });
  expect(attributes.length).toBeGreaterThan(150);
  const taken = attributes.filter((name) => (nearProp(component, name) ?? name) !== name);
  expect(taken).toEqual([]);
});
