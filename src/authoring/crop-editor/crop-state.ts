/**
 * What an author has chosen for one image, and the props that it's saved as.
 *
 * The rule: the crop is the part that may be shown, and the focus is what matters in it. A cut around a
 * focus point is saved as `aspect` and `focus`, in fractions of the `crop` if there's one. A drawn
 * rectangle is saved as `crop` and is what the page shows. An `aspect` in the source stays if it wouldn't
 * cut the rectangle further, or goes; a preset's becomes the rectangle's. A `focus` stays at its point of
 * the image, for other shapes, or goes if the rectangle doesn't have the point.
 *
 * An entry of `sources` can only get a crop. Its own `aspect` always stays, so its rectangles keep that
 * ratio. An entry with neither shows the default image's part.
 */

import type { Crop, Focus } from '../../assets/geometry/crop.ts';
import { cutAround, fractionsToPixels, parseAspect } from '../../assets/geometry/fit-image.ts';
import type { Point, Rectangle, Size } from '../../assets/geometry/rectangle.ts';
import {
  clampRectangle,
  hasRatio,
  largestOfRatio,
  ratioText,
  reshape,
  sameRectangle,
  wholeImage,
} from './crop-geometry.ts';

/** A ratio as authors write it; `undefined` for any. */
export type Aspect = number | string | undefined;

/** The props that decide which part of an asset an image, or an entry of its `sources`, shows. */
export interface GivenCut {
  readonly crop?: Crop | undefined;
  readonly aspect?: Aspect;
  readonly focus?: Focus | undefined;
  /** Has an aspect of its own, perhaps, which only another one replaces. */
  readonly preset?: string | undefined;
  /** The record's focus, which counts if neither the props nor the preset have one. */
  readonly recordFocus?: Focus | undefined;
}

/** Those of an image, and of the entries of its `sources`. */
export interface GivenCuts extends GivenCut {
  readonly sources?: readonly (GivenCut & { readonly media: string })[] | undefined;
}

/** A site's presets by name. */
export type PresetShapes = Readonly<Record<string, PresetShape>>;

type PresetShape = Pick<GivenCut, 'aspect' | 'focus'>;

/** What an author has changed. `null` removes a prop, and a missing one stays. */
export interface CropChange {
  readonly crop?: Crop | null | undefined;
  readonly aspect?: number | string | null | undefined;
  readonly focus?: Focus | null | undefined;
  readonly sources?: { readonly index: number; readonly crop: Crop | null }[] | undefined;
}

interface Drawn {
  readonly kind: 'drawn';
  readonly rectangle: Rectangle;
  /** The ratio to keep. */
  readonly lock: Aspect;
  /** What matters, in pixels of the original, if that isn't the middle. */
  readonly point?: Focus | undefined;
}

interface Focused {
  readonly kind: 'focus';
  /** The ratio to cut. */
  readonly lock: Aspect;
  /** In fractions of the area. */
  readonly focus: Focus;
  /** The crop, which the cut stays in; `undefined` for the whole image. */
  readonly area?: Rectangle | undefined;
}

export type OwnState = Drawn | Focused;

/** `inherited`: an entry of `sources` shows the default image's part. */
export type CropState = OwnState | { readonly kind: 'inherited' };

const middle: Point = { x: 0.5, y: 0.5 };

/** The default image or an entry of `sources`, with its props in the source. */
interface EditedImage {
  readonly given: GivenCut;
  /** The original's size as displayed, in pixels. */
  readonly original: Size;
  readonly isSource: boolean;
  /** The focus that the default image leaves to an entry of `sources`, as it's drawn now. */
  waiting?(): Focus | undefined;
}

/** The state that shows what the page shows now. A crop that reaches outside the image is moved in. */
export function startState({ given, original, isSource, waiting }: EditedImage): CropState {
  const { crop, aspect, focus, recordFocus } = given;
  if (isSource && (crop ?? aspect ?? focus) === undefined) return { kind: 'inherited' };
  const area = givenArea(crop, original);
  const point = focus ?? waiting?.() ?? recordFocus ?? middle;
  if (!isSource && (focus ?? (crop ? undefined : aspect)) !== undefined)
    return { kind: 'focus', lock: aspect, focus: point, area: crop && area };
  return { kind: 'drawn', rectangle: cutIn(area, aspect, point), lock: aspect };
}

function givenArea(crop: Crop | undefined, original: Size): Rectangle {
  if (crop === undefined) return wholeImage(original);
  return (crop.unit === 'fraction' ? fractionsToPixels : clampRectangle)(crop, original);
}

/** The part of the original that an image shows; `undefined` for all of it. */
export function partOf(given: GivenCut, original: Size): Rectangle | undefined {
  if (given.crop === undefined && given.aspect === undefined) return undefined;
  return rectangleOf(startState({ given, original, isSource: false }) as OwnState, original);
}

/** The part of the original that a state shows. `'attention'` is shown as the middle. */
export function rectangleOf(state: OwnState, original: Size): Rectangle {
  if (state.kind === 'drawn') return state.rectangle;
  return cutIn(areaOf(state, original), state.lock, state.focus);
}

/**
 * The part that an image shows in the shape of another preset, once a state has been saved.
 *
 * @param own the preset that the image has now, whose focus isn't the image's own
 */
export function inShape(
  state: CropState,
  image: EditedImage,
  { shape, own }: { shape: PresetShape; own?: PresetShape | undefined },
): Rectangle {
  const next = { ...image.given, ...applyChange(image.given, changeOf(state, image)) };
  const isOwn = next.focus && !(own?.focus && sameFocus(next.focus, own.focus));
  const given = { ...next, aspect: shape.aspect, focus: isOwn ? next.focus : shape.focus };
  return rectangleOf(startState({ ...image, given }) as OwnState, image.original);
}

/** The part that may be shown. */
export function areaOf(state: OwnState, original: Size): Rectangle {
  return state.kind === 'drawn' ? state.rectangle : (state.area ?? wholeImage(original));
}

function cutIn(area: Rectangle, aspect: Aspect, focus: Focus): Rectangle {
  const ratio = parseAspect(aspect);
  return ratio === undefined ? area : cutAround(area, ratio, pixelsOf(focus, area));
}

/** A focus in pixels of the original. */
export function pixelsOf(focus: Focus, { x, y, width, height }: Rectangle): Point {
  const at = focus === 'attention' ? middle : focus;
  return { x: x + at.x * width, y: y + at.y * height };
}

/** What matters, in pixels of the original; `undefined` for the middle. */
export function pointOf(state: OwnState, original: Size): Focus | undefined {
  if (state.kind === 'drawn') return state.point;
  if (sameFocus(state.focus, middle)) return undefined;
  return state.focus === 'attention' ? 'attention' : pixelsOf(state.focus, areaOf(state, original));
}

/** The focus at a point, or the middle of an area that doesn't have the point. */
function focusIn(area: Rectangle, point: Focus | undefined): Focus {
  if (point === undefined || point === 'attention') return point ?? middle;
  const shares = [(point.x - area.x) / area.width, (point.y - area.y) / area.height];
  return shares.every((share) => share >= 0 && share <= 1) ? focusAt(point, area) : middle;
}

/** A drawn rectangle. With a lock, it's cut to a size that the build shows all of. */
export function drawn(rectangle: Rectangle, lock: Aspect): Drawn {
  const ratio = parseAspect(lock);
  const size = ratio === undefined ? rectangle : largestOfRatio(rectangle, ratio);
  const { width, height } = size;
  return { kind: 'drawn', rectangle: { ...rectangle, width, height }, lock };
}

export function withRatio(state: OwnState, ratio: Aspect, original: Size): OwnState {
  if (state.kind === 'focus') return { ...state, lock: ratio };
  const value = parseAspect(ratio);
  const { rectangle } = state;
  const next = value === undefined ? rectangle : reshape(rectangle, value, original);
  return { ...state, ...drawn(next, ratio) };
}

/** Changes the method. The focus point is in what was drawn, and drawing goes on with that. */
export function withOtherMethod(state: OwnState, ratio: Aspect, original: Size): OwnState {
  const point = pointOf(state, original);
  if (state.kind === 'drawn') {
    const { rectangle, lock = ratio } = state;
    const area = sameRectangle(rectangle, wholeImage(original)) ? undefined : rectangle;
    return { kind: 'focus', lock, focus: focusIn(rectangle, point), area };
  }
  const cut = rectangleOf(state, original);
  const { area = cut, lock } = state;
  return { ...drawn(area, sameRectangle(cut, area) ? lock : undefined), point };
}

/** A focus point for an area, or a whole image, with as many digits as one pixel needs. */
export function focusAt({ x, y }: Point, area: Size & Partial<Point>): Point {
  const share = (at: number, length: number) => {
    const digits = Math.max(2, Math.ceil(Math.log10(length)));
    return Number(Math.min(1, Math.max(0, at / length)).toFixed(digits));
  };
  return { x: share(x - (area.x ?? 0), area.width), y: share(y - (area.y ?? 0), area.height) };
}

/** Takes over what changed: `null` removes a value. */
export function applyChange(cut: GivenCut, change: CropEdit): GivenCut {
  const { crop = cut.crop, aspect = cut.aspect, focus = cut.focus } = change;
  return { crop: crop ?? undefined, aspect: aspect ?? undefined, focus: focus ?? undefined };
}

type CropEdit = Omit<CropChange, 'sources'>;

/** The props to write for an image. Empty if nothing changes. */
function changeOf(state: CropState, image: EditedImage): CropEdit {
  const { given, original, isSource } = image;
  const { crop, aspect, preset, recordFocus } = given;
  const focus = given.focus ?? recordFocus ?? middle;
  const isOutside = reachesOutside(crop, original);
  if (sameState(startState(image), state) && !isOutside) return {};
  if (state.kind === 'inherited') return { crop: null };
  const area = areaOf(state, original);
  if (isSource) return { crop: area };
  const isMoved = isOutside || !sameRectangle(area, givenArea(crop, original));
  const isWhole = sameRectangle(area, wholeImage(original));
  const ratio = parseAspect(aspect);
  const fitting = ratio === undefined || hasRatio(area, ratio) ? aspect : undefined;
  const lock = state.kind === 'focus' ? state.lock : fitting;
  const drawnFocus = (drawn: Drawn) =>
    given.focus || drawn.point ? focusIn(area, drawn.point) : focus;
  const point = state.kind === 'focus' ? state.focus : drawnFocus(state);
  // Where the image has no prop of its own, its preset or its record decides.
  const none = preset || recordFocus ? middle : null;
  return {
    ...(isMoved && { crop: isWhole ? null : area }),
    ...(lock !== aspect && { aspect: lock ?? (preset ? ratioText(area) : null) }),
    ...(!sameFocus(point, focus) && { focus: sameFocus(point, middle) ? none : point }),
  };
}

/** Whether two states show the same, unless their props say so. A lock that was drawn isn't saved. */
function sameState(a: CropState, b: CropState): boolean {
  if (a.kind !== 'drawn' || b.kind !== 'drawn') return a.kind === 'inherited' && b.kind === a.kind;
  return sameRectangle(a.rectangle, b.rectangle) && b.point === undefined;
}

function sameFocus(a: Focus, b: Focus): boolean {
  if (a === 'attention' || b === 'attention') return a === b;
  return a.x === b.x && a.y === b.y;
}

function reachesOutside(crop: Crop | undefined, { width, height }: Size): boolean {
  if (crop === undefined || crop.unit === 'fraction') return false;
  return crop.x + crop.width > width || crop.y + crop.height > height;
}

export interface Cut extends EditedImage {
  readonly label: string;
  readonly history: ReturnType<typeof createHistory>;
}

/** The default image's first. */
export function createCuts(image: GivenCuts & { readonly original: Size }): [Cut, ...Cut[]] {
  const { original, sources = [], ...given } = image;
  const cutOf = (label: string, image: EditedImage): Cut => {
    return { ...image, label, history: createHistory(() => startState(image)) };
  };
  const first = cutOf('Default', { given, original, isSource: false });
  // Without an aspect, the focus waits for that of a source.
  const waiting = () => {
    const now = applyChange(given, changeOf(first.history.now(), first));
    return now.aspect === undefined ? now.focus : undefined;
  };
  const { recordFocus } = given;
  const others = sources.map(({ media, ...own }) =>
    cutOf(media, { given: { ...own, recordFocus }, original, isSource: true, waiting }),
  );
  return [first, ...others];
}

export function savedChange([first, ...others]: readonly [Cut, ...Cut[]]): CropChange {
  const sources = others.flatMap((cut, index) => {
    const { crop } = changeOf(cut.history.now(), cut);
    return crop === undefined ? [] : [{ index, crop }];
  });
  return { ...changeOf(first.history.now(), first), ...(sources.length > 0 && { sources }) };
}

function createHistory(start: () => CropState) {
  /** The first one is what Reset and undo lead back to. An entry of `sources` follows the default image. */
  let states: readonly (() => CropState)[] = [start];
  let at = 0;
  return {
    now: () => (states[at] ?? start)(),
    /** Adds a state, and drops those that were undone. `amend` replaces the newest instead. */
    add(state: CropState, { amend }: { amend: boolean }) {
      if (amend && at > 0) at -= 1;
      states = [...states.slice(0, at + 1), () => state];
      at += 1;
    },
    /** Undoes the last change with -1, and does it again with 1. */
    travel(by: -1 | 1) {
      if (this.can(by)) at += by;
    },
    can: (by: -1 | 1) => states[at + by] !== undefined,
    /** The newest one of a method. */
    last: (kind: OwnState['kind']) =>
      states
        .slice(0, at + 1)
        .map((one) => one())
        .findLast((one): one is OwnState => one.kind === kind),
  };
}
