import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ComponentCall } from '../../../src/assets/request/check-props.ts';
import {
  checkProps as check,
  checkImageAttributes,
} from '../../../src/assets/request/check-props.ts';

type Component = ComponentCall['component'];

const checkProps = (component: Component, props: Record<string, unknown>) =>
  check({ component, page: '/quay/', isPrerendered: true, props: { id: 4711, ...props } });

test('an unknown prop is an error that names the page, the asset, the prop and the valid names', () => {
  expect(() => checkProps('MediaAsset', { alt: '', corp: {} })).toThrow(
    expect.objectContaining({
      code: 'prop-unknown',
      message: 'Unknown prop `corp` on <MediaAsset id={4711}> on /quay/. Did you mean `crop`?',
      hint: expect.stringContaining(
        'Valid props: id, alt, crop, aspect, focus, width, height, fit, position, densities, widths, sizes, layout, format, formats, quality, effort, background, placeholder, preset, priority, sources, htmlId, pictureAttributes, structuredData, the attributes of <img>.',
      ),
    }),
  );
});

const withHint = (text: string) => expect.objectContaining({ hint: expect.stringContaining(text) });

describe('an unknown prop', () => {
  test.each<[Component, string, string]>([
    ['MediaAsset', 'Width', 'width'],
    ['MediaAsset', 'picture-attributes', 'pictureAttributes'],
    ['MediaAsset', 'aspect-ratio', 'aspect'],
    ['MediaAsset', 'page', 'the attributes of <img>'],
    ['MediaAsset', 'constructor', 'the attributes of <img>'],
    ['MediaFile', 'nmae', 'id, htmlId, name, download, the attributes of <a>'],
    ['MediaVideo', 'postr', 'id, htmlId, name, poster, '],
    ['MediaVideo', 'alt', 'the attributes of <video>'],
  ])('of <%s>: %s', (component, name, valid) => {
    const checked = () => checkProps(component, { [name]: 'x' });
    expect(checked).toThrow(`Unknown prop \`${name}\` on <${component} id={4711}> on /quay/.`);
    expect(checked).toThrow(withHint(valid));
  });

  test('of a <picture>', () => {
    const props = { pictureAttributes: { class: 'wide', srcset: 'a.png' } };
    expect(() => checkProps('MediaAsset', props)).toThrow(
      expect.objectContaining({
        message: 'Unknown prop `pictureAttributes.srcset` on <MediaAsset id={4711}> on /quay/.',
        hint: expect.stringContaining('Valid props: the attributes of <picture>.'),
      }),
    );
  });

  test('of a poster', () => {
    expect(() => checkProps('MediaVideo', { poster: { id: 4712, corp: {} } })).toThrow(
      withHint(
        'Valid props: id, crop, aspect, focus, width, height, fit, position, format, quality, effort, background.',
      ),
    );
  });

  test('of an image in the HTML of Markdown', () => {
    const place = { id: 4711, page: 'src/rope.md:1' };
    expect(() => checkImageAttributes({ title: 'Rope', width: '60' }, place)).not.toThrow();
    expect(() => checkImageAttributes({ crop: '1,2,3,4' }, place)).toThrow(
      'Unknown prop `crop` on <img src="media:4711"> on src/rope.md:1.',
    );
  });
});

describe('passed on', () => {
  test.each<Component>(['MediaAsset', 'MediaFile', 'MediaVideo'])(
    'by <%s>: attributes of all elements, and those of frameworks',
    (component) => {
      const names = [
        ...['class', 'class:list', 'style', 'slot', 'lang', 'role', 'itemprop', 'popover'],
        ...['data-caption', 'data-media-assets', 'data-astro-cid-j7pv25f6', 'aria-describedby'],
        ...['onclick', 'onError', 'tabIndex', 'x-data', ':class', '@click', 'hx-get'],
        ...['client:load', 'server:defer', 'set:html', 'is:raw', 'transition:name', 'define:vars'],
      ];
      for (const name of names) expect(() => checkProps(component, { [name]: 'x' })).not.toThrow();
    },
  );

  test('attributes that are newer than those types', () => {
    expect(() => checkProps('MediaFile', { interestfor: '' })).not.toThrow();
    const newer = { controlslist: '', loading: '', disablepictureinpicture: '' };
    expect(() => checkProps('MediaVideo', newer)).not.toThrow();
  });

  test.each([
    ['MediaAsset', ['HTML', 'ImgHTML']],
    ['MediaCredit', ['HTML']],
    ['MediaFile', ['HTML', 'AnchorHTML']],
    ['MediaVideo', ['HTML', 'MediaHTML', 'VideoHTML']],
  ] as const)(
    'by <%s>: every attribute in its types, except obsolete ones',
    async (component, kinds) => {
      const file = new URL('../../../node_modules/astro/astro-jsx.d.ts', import.meta.url);
      const types = await readFile(fileURLToPath(file), 'utf8');
      const attributes = ['Aria', 'DOM', ...kinds].flatMap((kind) => {
        const [, body = ''] =
          new RegExp(`interface ${kind}Attributes .*?{(.*?)\\n\\t}`, 's').exec(types) ?? [];
        return Array.from(body.matchAll(/^\t\t'?([\w:-]+)'?\??:/gm), ([, name = '']) => name);
      });
      expect(attributes.length).toBeGreaterThan(150);
      const refused = attributes.filter((name) => {
        // The values of these two are assets.
        if (name === 'id' || name === 'poster') return false;
        try {
          checkProps(component, { [name]: 'x' });
          return false;
        } catch {
          return true;
        }
      });
      expect(refused.sort()).toEqual(refusedOf[component].sort());
    },
  );
});

const obsolete = ['autosave', 'children', 'color', 'contextmenu', 'radiogroup'];

/** Attributes in Astro's types that components refuse. */
const refusedOf: Record<Component, string[]> = {
  MediaAsset: [...obsolete, 'results', 'security', 'src', 'srcset', 'unselectable'],
  MediaCredit: [...obsolete, 'results', 'security', 'unselectable'],
  MediaCredits: [...obsolete, 'results', 'security', 'unselectable'],
  MediaFile: [...obsolete, 'href', 'media', 'results', 'security', 'type', 'unselectable'],
  MediaVideo: [...obsolete, 'mediagroup', 'results', 'security', 'src', 'unselectable'],
};

describe('an attribute that the ID sets is refused', () => {
  test.each<[Component, string]>([
    ['MediaAsset', 'src'],
    ['MediaAsset', 'srcSet'],
    ['MediaAsset', 'data-media-asset-unavailable'],
    ['MediaFile', 'href'],
    ['MediaFile', 'type'],
    ['MediaVideo', 'src'],
    ['MediaVideo', 'Data-Media-Asset'],
  ])('by <%s>: %s', (component, name) => {
    expect(() => checkProps(component, { [name]: '9999' })).toThrow(
      expect.objectContaining({
        code: 'prop-invalid',
        message: `/quay/: asset 4711 has ${name}="9999"; expected nothing, because the asset ID sets it.`,
      }),
    );
    expect(() => checkProps(component, { [name]: undefined })).not.toThrow();
  });

  test('by the attributes of a <picture>', () => {
    const props = { pictureAttributes: { 'data-media-asset': '9999' } };
    expect(() => checkProps('MediaAsset', props)).toThrow(
      'pictureAttributes.data-media-asset="9999"',
    );
  });
});

test("doesn't check the props of an invalid ID, which the request reports", () => {
  expect(() => checkProps('MediaAsset', { id: '4711', corp: {} })).not.toThrow();
});

test.each([['4711'], [0], [1.5], [{}], [[4711]], ['/poster.jpg'], [{ id: '4711' }]])(
  'refuses the poster %j',
  (poster) => {
    expect(() => checkProps('MediaVideo', { poster })).toThrow(
      `/quay/: asset 4711 has poster=${JSON.stringify(poster)}; expected an asset ID, or { id, crop,`,
    );
  },
);

test.each([[undefined], [null], [false], [''], [4711], [-1], [{ id: 4711, width: 300 }]])(
  'accepts the poster %j',
  (poster) => {
    expect(() => checkProps('MediaVideo', { poster })).not.toThrow();
  },
);
