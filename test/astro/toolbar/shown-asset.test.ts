import { expect, test } from 'vitest';
import { describeShownAsset } from '../../../src/astro/toolbar/shown-asset.ts';

const rendition = (width: number) => ({ url: '/a.webp', width, height: 100, descriptor: '1x' });

/** What the toolbar gets for an image with files up to 800 px. */
function shownFor(props: object, failure?: { message: string }) {
  const request = { id: 4711, alt: 'The quay', page: '/', ...props };
  const asset = { width: 400, height: 200, renditions: [rendition(800), rendition(400)] };
  return describeShownAsset({ request, asset, place: undefined, failure } as never, {
    original: { width: 2400, height: 1600 },
    name: 'quay',
    presets: { hero: { aspect: '2:1' } },
  });
}

test.each([
  ['fits', {}, []],
  ['asks for fewer pixels than it has', { width: 400 }, []],
  ['asks for more pixels than it has', { width: 900 }, ['upscaled']],
  ['has a crop with all widths', { crop: {}, widths: [400, 800] }, []],
  ['has a crop that is smaller than its widths', { crop: {}, widths: [400, 1600] }, ['crop-small']],
])('an image that %s has the signs it needs', (_, props, codes) => {
  expect(shownFor(props).problems.map(({ code }) => code)).toEqual(codes);
});

test('a placeholder has its reason', () => {
  const { problems, layout } = shownFor({}, { message: 'Asset 4711 is gone.' });
  expect(problems).toEqual([{ code: 'placeholder', message: 'Asset 4711 is gone.' }]);
  expect(layout).toBeUndefined();
});

test('the layout has the widths of the files, smallest first', () => {
  expect(shownFor({}).layout).toEqual({ width: 400, height: 200, widths: [400, 800] });
});

test("a preset's aspect counts unless the image has its own", () => {
  expect(shownFor({ preset: 'hero' }).props.aspect).toBe('2:1');
  expect(shownFor({ preset: 'hero', aspect: 1 }).props.aspect).toBe(1);
});
