import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Crop,
  type CropRequest,
  type Focus,
  resolveCrop,
} from '../../../src/assets/geometry/crop.ts';
import { parseAspect } from '../../../src/assets/geometry/fit-image.ts';
import type { Rectangle, Size } from '../../../src/assets/geometry/rectangle.ts';
import { parseRequest } from '../../../src/assets/request/parse-request.ts';
import {
  drawRectangle,
  resizeRectangle,
} from '../../../src/authoring/crop-editor/crop-geometry.ts';
import type { GivenCut } from '../../../src/authoring/crop-editor/crop-state.ts';
import {
  areaOf,
  type CropState,
  createCuts,
  drawn,
  focusAt,
  inShape,
  type OwnState,
  rectangleOf,
  savedChange,
  startState,
  withOtherMethod,
  withRatio,
} from '../../../src/authoring/crop-editor/crop-state.ts';
import type { AssetChange } from '../../../src/authoring/toolbar/protocol.ts';
import { anyAspect, anyImage, anyPoint, rectangleIn } from './any-crop.ts';

const place = { id: 4711, page: '/harbour/' };

/** What the build shows for props. */
const builtRectangle = (props: GivenCut, original: Size) =>
  resolved(parseRequest({ ...place, alt: '', ...props }).image.crop, original);

/** The middle draws the eye. */
async function resolved(crop: CropRequest, original: Size): Promise<Rectangle> {
  return resolveCrop(place, { crop, image: original }, async ({ x, y, width, height }) => ({
    x: x + width / 2,
    y: y + height / 2,
  }));
}

/** The props after a change has been written. */
function written(given: GivenCut, change: AssetChange): GivenCut {
  const props = { ...given, ...change };
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== null));
}

const ofDefault = (given: GivenCut, original: Size) => ({ given, original, isSource: false });
const ofSource = (given: GivenCut, original: Size) => ({ given, original, isSource: true });

/** What is saved for an image, or for the only entry of `sources`. */
function changeOf(state: CropState, image: ReturnType<typeof ofDefault>): AssetChange {
  const { given, original, isSource } = image;
  const cuts = createCuts(
    isSource ? { original, sources: [{ ...given, media: 'print' }] } : { original, ...given },
  );
  cuts.at(-1)?.history.add(state, { amend: false });
  const { sources, ...change } = savedChange(cuts);
  return sources?.[0] ? { crop: sources[0].crop } : change;
}

const startOf = (given: GivenCut, original: Size) =>
  startState(ofDefault(given, original)) as OwnState;

const share = fc.integer({ min: 0, max: 1000 }).map((parts) => parts / 1000);
const anyFocus: fc.Arbitrary<Focus> = fc.oneof(
  fc.record({ x: share, y: share }),
  fc.constant('attention' as const),
);

function anyCrop(image: Size): fc.Arbitrary<Crop> {
  const inFractions = rectangleIn(image).map(({ x, y, width, height }) => ({
    unit: 'fraction' as const,
    x: x / image.width,
    y: y / image.height,
    width: width / image.width,
    height: height / image.height,
  }));
  return fc.oneof(rectangleIn(image), inFractions);
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const anyGiven = anyImage.chain((original) =>
  fc.record({
    original: fc.constant(original),
    given: fc.record({
      crop: maybe(anyCrop(original)),
      aspect: maybe(anyAspect),
      focus: maybe(anyFocus),
    }),
  }),
);

type Step = (state: OwnState, original: Size) => OwnState;

/** What an author can do. */
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ from: anyPoint, to: anyPoint }).map(({ from, to }): Step => {
    return (state, image) => {
      if (state.kind === 'focus') return { ...state, focus: focusAt(to, areaOf(state, image)) };
      const ratio = parseAspect(state.lock);
      return { ...state, ...drawn(drawRectangle(from, { to, image, ratio }), state.lock) };
    };
  }),
  anyPoint.map((to): Step => {
    return (state, image) => {
      if (state.kind === 'focus') return state;
      const ratio = parseAspect(state.lock);
      const handle = { across: 1, down: 0 } as const;
      const next = resizeRectangle(state.rectangle, { handle, to, image, ratio });
      return { ...state, ...drawn(next, state.lock) };
    };
  }),
  maybe(anyAspect).map(
    (aspect): Step =>
      (state, image) =>
        withRatio(state, aspect, image),
  ),
  fc.constant<Step>((state, image) => withOtherMethod(state, '1:1', image)),
);

const anySteps = fc.record({
  start: anyGiven,
  steps: fc.array(anyStep, { minLength: 1, maxLength: 6 }),
});

describe('the crop that an author sees', () => {
  test('is first what the build shows', async () => {
    await fc.assert(
      fc.asyncProperty(anyGiven, async ({ original, given }) => {
        const seen = rectangleOf(startOf(given, original), original);
        expect(seen).toEqual(await builtRectangle(given, original));
        expect(changeOf(startOf(given, original), ofDefault(given, original))).toEqual({});
      }),
      { numRuns: 1000 },
    );
  });

  test('is what the build shows once it has been saved', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, async ({ start: { original, given }, steps }) => {
        let state = startOf(given, original);
        for (const step of steps) state = step(state, original);
        const saved = written(given, changeOf(state, ofDefault(given, original)));
        expect(await builtRectangle(saved, original)).toEqual(rectangleOf(state, original));
        const again = startOf(saved, original);
        expect(rectangleOf(again, original)).toEqual(rectangleOf(state, original));
        expect(changeOf(again, ofDefault(saved, original))).toEqual({});
      }),
      { numRuns: 2000 },
    );
  });

  test('is what the build shows where the image gets another shape', async () => {
    const cases = fc.record({ edited: anySteps, shape: anyAspect });
    await fc.assert(
      fc.asyncProperty(cases, async ({ edited: { start, steps }, shape }) => {
        const { original, given } = start;
        let state = startOf(given, original);
        for (const step of steps) state = step(state, original);
        const saved = written(given, changeOf(state, ofDefault(given, original)));
        const seen = inShape(state, ofDefault(given, original), { shape: { aspect: shape } });
        expect(await builtRectangle({ ...saved, aspect: shape }, original)).toEqual(seen);
      }),
      { numRuns: 2000 },
    );
  });

  test('is what the build shows in an entry of `sources`, and with a focus of the record', async () => {
    const focus = maybe(anyFocus);
    const source = fc.record({ hasCrop: fc.boolean(), aspect: maybe(anyAspect), focus });
    const cases = fc.record({ edited: anySteps, source, recordFocus: focus });
    await fc.assert(
      fc.asyncProperty(cases, async ({ edited: { start, steps }, source, recordFocus }) => {
        const { original, given } = start;
        const { hasCrop, ...others } = source;
        const crop = hasCrop ? { x: 0, y: 0, width: 1, height: original.height } : undefined;
        const own = { media: 'print', ...(crop && { crop }), ...others };
        const [first, print] = createCuts({ ...given, recordFocus, original, sources: [own] });
        let state = first.history.now() as OwnState;
        for (const step of steps) state = step(state, original);
        first.history.add(state, { amend: false });
        const saved = written(given, savedChange([first]) as AssetChange);
        const asked = { ...place, alt: '', ...saved, sources: [own] };
        const built = parseRequest(asked, { record: { alt: '', focus: recordFocus } });
        expect(await resolved(built.image.crop, original)).toEqual(rectangleOf(state, original));
        const shown = print?.history.now() as CropState;
        const part = rectangleOf(shown.kind === 'inherited' ? state : shown, original);
        expect(await resolved((built.sources[0] ?? built.image).crop, original)).toEqual(part);
      }),
      { numRuns: 2000 },
    );
  });

  test('around a focus point stays inside the drawn crop, wherever the point is dragged', () => {
    const cases = anyImage.chain((original) =>
      fc.record({
        original: fc.constant(original),
        crop: rectangleIn(original),
        aspect: anyAspect,
        to: anyPoint,
      }),
    );
    fc.assert(
      fc.property(cases, ({ original, crop, aspect, to }) => {
        const start = withOtherMethod(drawn(crop, undefined), aspect, original);
        const area = areaOf(start, original);
        expect(area).toEqual(crop);
        const state = { ...start, focus: focusAt(to, area) } as OwnState;
        const { x, y, width, height } = rectangleOf(state, original);
        expect(x).toBeGreaterThanOrEqual(crop.x);
        expect(y).toBeGreaterThanOrEqual(crop.y);
        expect(x + width).toBeLessThanOrEqual(crop.x + crop.width);
        expect(y + height).toBeLessThanOrEqual(crop.y + crop.height);
      }),
      { numRuns: 1000 },
    );
  });

  test('of an entry of `sources` is what the build shows, next to its own aspect', async () => {
    const cases = anyGiven.chain(({ original, given: { crop, aspect } }) =>
      fc.record({
        original: fc.constant(original),
        given: fc.constant({ crop, aspect }),
        from: anyPoint,
        to: anyPoint,
      }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ original, given, from, to }) => {
        const image = ofSource(given, original);
        expect(changeOf(startState(image), image)).toEqual({});
        const ratio = parseAspect(given.aspect);
        const rectangle = drawRectangle(from, { to, image: original, ratio });
        const state = drawn(rectangle, given.aspect) as OwnState;
        const saved = written(given, changeOf(state, image));
        expect(await builtRectangle(saved, original)).toEqual(rectangleOf(state, original));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the editor starts', () => {
  const original = { width: 1200, height: 800 };
  const crop = { x: 100, y: 100, width: 400, height: 200 };
  const focus = { x: 0.25, y: 0.5 };

  test.each<[how: string, given: GivenCut, state: object]>([
    [
      'around a focus point in the crop',
      { crop, aspect: '1:1', focus },
      { lock: '1:1', area: crop },
    ],
    ['with all of a crop around a focus point', { crop, focus }, { lock: undefined, area: crop }],
    ['around a focus point in the whole image', { aspect: '1:1' }, { area: undefined }],
    [
      'with what an aspect leaves of a crop',
      { crop, aspect: '1:1' },
      { kind: 'drawn', lock: '1:1' },
    ],
  ])('%s', (_, given, state) => {
    expect(startOf(given, original)).toMatchObject(state);
  });

  describe('of an entry of `sources` with an aspect', () => {
    const left = { x: 0.1, y: 0.5 };
    const right = { x: 0.9, y: 0.5 };
    const sources = [{ media: 'print', aspect: '1:1' }];
    const at = (lock: string | undefined, focus: Focus): OwnState => ({
      kind: 'focus',
      lock,
      focus,
    });

    test.each<[rule: string, given: GivenCut, drawn: OwnState | undefined, x: number]>([
      ['is cut around the focus that waits for it', { focus: left }, undefined, 0],
      ['follows the focus as it is drawn', { focus: left }, at(undefined, right), 400],
      ['has none if an aspect of the image takes it', { focus: left }, at('4:3', left), 200],
      ['has one that waits again', { aspect: '1:1', focus: left }, at(undefined, left), 0],
      ["is cut around the record's focus", { recordFocus: right }, undefined, 400],
    ])('%s', (_, given, drawn, x) => {
      const [first, print] = createCuts({ ...given, original, sources });
      if (drawn) first.history.add(drawn, { amend: false });
      const rectangle = { x, y: 0, width: 800, height: 800 };
      expect(rectangleOf(print?.history.now() as OwnState, original)).toEqual(rectangle);
    });
  });

  test('with all of the image for an entry of `sources` that has a focus alone', () => {
    const [, print] = createCuts({ original, crop, sources: [{ media: 'print', focus }] });
    expect(print?.history.now()).toMatchObject({ rectangle: { x: 0, y: 0, ...original } });
  });

  test("around the record's focus, and with none in the middle that an author has chosen", () => {
    const image = {
      given: { aspect: '1:1', recordFocus: { x: 0.1, y: 0.5 } },
      original,
      isSource: false,
    };
    expect(rectangleOf(startState(image) as OwnState, original).x).toBe(0);
    const [first] = createCuts({ ...image.given, original });
    const middle = { x: 0.5, y: 0.5 };
    first.history.add({ kind: 'focus', lock: '1:1', focus: middle }, { amend: false });
    expect(savedChange([first])).toEqual({ focus: middle });
  });

  test('in the shape of a preset, around its own focus unless the image has one', () => {
    const own = { aspect: '3:4', focus: { x: 0.1, y: 0.5 } };
    const shape = { aspect: '1:1', focus: { x: 0.9, y: 0.5 } };
    const shownAt = (given: GivenCut) => {
      const image = { given, original, isSource: false };
      return inShape(startState(image), image, { shape, own }).x;
    };
    expect([shownAt({}), shownAt({ ...own, preset: 'own' })]).toEqual([400, 400]);
    expect(shownAt({ focus: { x: 0.3, y: 0.5 } })).toBe(0);
  });
});

describe('what is saved', () => {
  const original = { width: 1200, height: 800 };
  const crop = { x: 100, y: 100, width: 400, height: 200 };
  const point = { x: 0.25, y: 0.5 };

  const whole = drawn({ x: 0, y: 0, ...original }, undefined);
  const outside = { x: 1000, y: 0, width: 400, height: 200 };
  const inside = { ...outside, x: 800 };
  const around = (aspect: string, focus: Focus): OwnState => ({
    kind: 'focus',
    lock: aspect,
    focus,
  });
  const middle = { x: 0.5, y: 0.5 };

  test.each<[rule: string, given: GivenCut, state: OwnState, change: AssetChange]>([
    ['a drawn crop', {}, drawn(crop, undefined), { crop }],
    ['no crop for the whole image', { crop }, whole, { crop: null }],
    ['a crop next to an aspect that it has', { aspect: '2:1' }, drawn(crop, undefined), { crop }],
    [
      'the focus at its point of the image, in fractions of a crop that has the point',
      { crop, focus: point },
      { ...drawn({ ...crop, x: 50 }, undefined), point: { x: 200, y: 200 } },
      { crop: { ...crop, x: 50 }, focus: { x: 0.375, y: 0.5 } },
    ],
    [
      "no focus for a crop that doesn't have the point",
      { crop, focus: point },
      { ...drawn({ ...crop, x: 600 }, undefined), point: { x: 200, y: 200 } },
      { crop: { ...crop, x: 600 }, focus: null },
    ],
    [
      "the focus next to a crop with its own shape in place of a preset's",
      { crop, aspect: '2:1', focus: point, preset: 'wide' },
      { ...drawn({ ...crop, height: 300 }, undefined), point: { x: 200, y: 190 } },
      { crop: { ...crop, height: 300 }, aspect: '4:3', focus: { x: 0.25, y: 0.3 } },
    ],
    [
      'a crop in place of an aspect that would cut it further',
      { aspect: '16:9', focus: point },
      drawn(crop, undefined),
      { crop, aspect: null, focus: null },
    ],
    [
      "a crop with its own shape in place of a preset's, which would cut it further",
      { aspect: '16:9', preset: 'wide' },
      drawn(crop, undefined),
      { crop, aspect: '2:1' },
    ],
    [
      'a focus point in place of a crop',
      { crop },
      around('1:1', point),
      { crop: null, aspect: '1:1', focus: point },
    ],
    [
      'a crop with the focus point in it',
      {},
      { ...around('1:1', point), area: crop } as OwnState,
      { crop, aspect: '1:1', focus: point },
    ],
    [
      'a focus point alone if the crop around it stays',
      { crop, aspect: '1:1', focus: point },
      { ...around('1:1', { x: 0.75, y: 0.5 }), area: crop } as OwnState,
      { focus: { x: 0.75, y: 0.5 } },
    ],
    [
      "the middle in place of a preset's focus",
      { aspect: '1:1', focus: point, preset: 'face' },
      around('1:1', middle),
      { focus: middle },
    ],
    [
      'no focus point in the middle',
      { aspect: '1:1', focus: point },
      around('1:1', middle),
      { focus: null },
    ],
    [
      'the focus `attention` as it is when only the aspect changes',
      { aspect: '1:1', focus: 'attention' },
      around('4:3', 'attention'),
      { aspect: '4:3' },
    ],
    [
      'pixels for a crop that reaches outside the image, even if nobody moves it',
      { crop: outside },
      drawn(inside, undefined),
      { crop: inside },
    ],
    ['nothing for a lock alone', { crop }, drawn(crop, '2:1'), {}],
  ])('is %s', (_, given, state, change) => {
    expect(changeOf(state, ofDefault(given, original))).toEqual(change);
  });

  test('is no crop for an entry of `sources` that shows the default crop again', () => {
    const inherited = { kind: 'inherited' } as const;
    expect(changeOf(inherited, ofSource({ crop }, original))).toEqual({ crop: null });
    expect(changeOf(inherited, ofSource({}, original))).toEqual({});
  });
});
