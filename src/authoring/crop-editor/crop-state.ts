/**
 * What an author has chosen for one image, and the props that it's saved as.
 *
 * The rule: a drawn rectangle is saved as `crop` and is what the page shows. An `aspect` in the source
 * stays if it wouldn't cut the rectangle further, and goes together with `focus` if it would. With a
 * preset, which may have another one, it becomes the rectangle's. A cut around a focus point is saved as
 * `aspect` and `focus`, without a `crop`.
 *
 * An entry of `sources` can only get a crop. Its own `aspect` always stays, so its rectangles keep that
 * ratio. An entry with neither shows the default image's part.
 */

import type { Point, Rectangle, Size } from '../../assets/formats/rendition.ts';
import type { Crop, Focus } from '../../assets/geometry/crop.ts';
import { cutAround, fractionsToPixels, parseAspect } from '../../assets/geometry/fit-image.ts';
import {
  clampRectangle,
  hasRatio,
  largestOfRatio,
  ratioText,
  reshape,
  sameRectangle,
  wholeImage,
} from './crop-geometry.ts';

/** The props that decide which part of an asset an image, or an entry of its `sources`, shows. */
export interface GivenCut {
  readonly crop?: Crop | undefined;
  readonly aspect?: number | string | undefined;
  readonly focus?: Focus | undefined;
  /** Has an aspect of its own, perhaps, which only another one replaces. */
  readonly preset?: string | undefined;
}

/** Those of an image, and of the entries of its `sources`. */
export interface GivenCuts extends GivenCut {
  readonly sources?: readonly (GivenCut & { readonly media: string })[] | undefined;
}

/** What an author has changed. `null` removes a prop, and a missing one stays. */
export interface CropChange {
  readonly crop?: Crop | null | undefined;
  readonly aspect?: number | string | null | undefined;
  readonly focus?: Focus | null | undefined;
  readonly sources?: { readonly index: number; readonly crop: Crop | null }[] | undefined;
}

export type OwnState =
  | {
      readonly kind: 'drawn';
      readonly rectangle: Rectangle;
      /** The ratio to keep; `undefined` for any. */
      readonly lock: number | string | undefined;
    }
  | { readonly kind: 'focus'; readonly lock: number | string; readonly focus: Focus };

/** `inherited`: an entry of `sources` shows the default image's part. */
export type CropState = OwnState | { readonly kind: 'inherited' };

const middle: Point = { x: 0.5, y: 0.5 };

/** The default image or an entry of `sources`, with its props in the source. */
interface EditedImage {
  readonly given: GivenCut;
  /** The original's size as displayed, in pixels. */
  readonly original: Size;
  readonly isSource: boolean;
}

/** The state that shows what the page shows now. A crop that reaches outside the image is moved in. */
export function startState({ given, original, isSource }: EditedImage): CropState {
  const { crop, aspect, focus = middle } = given;
  if (crop === undefined && aspect === undefined && isSource) return { kind: 'inherited' };
  if (crop === undefined && aspect !== undefined && !isSource) {
    return { kind: 'focus', lock: aspect, focus };
  }
  const read = crop?.unit === 'fraction' ? fractionsToPixels : clampRectangle;
  const area = crop === undefined ? wholeImage(original) : read(crop, original);
  const ratio = parseAspect(aspect);
  const rectangle = ratio === undefined ? area : cutIn(area, ratio, focus);
  return { kind: 'drawn', rectangle, lock: aspect };
}

/** The part of the original that an image shows; `undefined` for all of it. */
export function partOf(given: GivenCut, original: Size): Rectangle | undefined {
  if (given.crop === undefined && given.aspect === undefined) return undefined;
  return rectangleOf(startState({ given, original, isSource: false }) as OwnState, original);
}

/** The part of the original that a state shows. `'attention'` is shown as the middle. */
export function rectangleOf(state: OwnState, original: Size): Rectangle {
  if (state.kind === 'drawn') return state.rectangle;
  return cutIn(wholeImage(original), parseAspect(state.lock) ?? 1, state.focus);
}

function cutIn(area: Rectangle, ratio: number, focus: Focus): Rectangle {
  const { x, y } = pointOf(focus);
  return cutAround(area, ratio, { x: area.x + x * area.width, y: area.y + y * area.height });
}

/** A drawn rectangle. With a lock, it's cut to a size that the build shows all of. */
export function drawn(rectangle: Rectangle, lock: number | string | undefined): OwnState {
  const ratio = parseAspect(lock);
  const size = ratio === undefined ? rectangle : largestOfRatio(rectangle, ratio);
  const { width, height } = size;
  return { kind: 'drawn', rectangle: { ...rectangle, width, height }, lock };
}

export function withRatio(
  state: OwnState,
  ratio: number | string | undefined,
  original: Size,
): OwnState {
  if (state.kind === 'focus') return ratio === undefined ? state : { ...state, lock: ratio };
  const value = parseAspect(ratio);
  const { rectangle } = state;
  return drawn(value === undefined ? rectangle : reshape(rectangle, value, original), ratio);
}

/** A focus point for an image, with as many digits as one pixel needs. */
export function focusAt({ x, y }: Point, original: Size): Point {
  const share = (at: number, length: number) => {
    const digits = Math.max(2, Math.ceil(Math.log10(length)));
    return Number(Math.min(1, Math.max(0, at / length)).toFixed(digits));
  };
  return { x: share(x, original.width), y: share(y, original.height) };
}

export function pointOf(focus: Focus): Point {
  return focus === 'attention' ? middle : focus;
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
  if (sameState(startState(image), state) && !reachesOutside(given.crop, original)) return {};
  if (state.kind === 'inherited') return { crop: null };
  if (state.kind === 'focus') return focusChange(state, given);
  const { rectangle } = state;
  if (isSource) return { crop: rectangle };
  const removesCrop = sameRectangle(rectangle, wholeImage(original));
  const ratio = parseAspect(given.aspect);
  const keepsAspect = ratio === undefined || hasRatio(rectangle, ratio);
  return {
    ...(!removesCrop && { crop: rectangle }),
    ...(removesCrop && given.crop !== undefined && { crop: null }),
    ...(!keepsAspect && { aspect: given.preset ? ratioText(rectangle) : null }),
    ...(!keepsAspect && given.focus !== undefined && { focus: null }),
  };
}

function focusChange(
  { lock, focus }: Extract<OwnState, { kind: 'focus' }>,
  given: GivenCut,
): CropEdit {
  return {
    ...(given.crop !== undefined && { crop: null }),
    ...(lock !== given.aspect && { aspect: lock }),
    ...(!sameFocus(focus, given.focus ?? middle) && {
      focus: sameFocus(focus, middle) ? null : focus,
    }),
  };
}

/** Whether two states show the same. A lock isn't saved, so it doesn't count. */
function sameState(a: CropState, b: CropState): boolean {
  if (a.kind === 'drawn' && b.kind === 'drawn') return sameRectangle(a.rectangle, b.rectangle);
  if (a.kind === 'focus' && b.kind === 'focus') {
    return a.lock === b.lock && sameFocus(a.focus, b.focus);
  }
  return a.kind === b.kind;
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
  const cutOf = (label: string, given: GivenCut, isSource: boolean): Cut => {
    const image = { given, original, isSource };
    return { ...image, label, history: createHistory(startState(image)) };
  };
  // Without an aspect, the focus waits for that of a source.
  const waiting = given.aspect === undefined ? given.focus : undefined;
  const others = sources.map((given) => cutOf(given.media, { focus: waiting, ...given }, true));
  return [cutOf('Default', given, false), ...others];
}

export function savedChange([first, ...others]: readonly [Cut, ...Cut[]]): CropChange {
  const sources = others.flatMap((cut, index) => {
    const { crop } = changeOf(cut.history.now(), cut);
    return crop === undefined ? [] : [{ index, crop }];
  });
  return { ...changeOf(first.history.now(), first), ...(sources.length > 0 && { sources }) };
}

function createHistory(first: CropState) {
  let states = [first];
  let at = 0;
  const now = () => states[at] as CropState;
  return {
    now,
    /** Adds a state, and drops those that were undone. `amend` replaces the newest instead. */
    add(state: CropState, { amend }: { amend: boolean }) {
      // The first state is what Reset and undo lead back to.
      if (amend && at > 0) at -= 1;
      states = [...states.slice(0, at + 1), state];
      at += 1;
    },
    /** Undoes the last change with -1, and does it again with 1. */
    travel(by: -1 | 1) {
      if (this.can(by)) at += by;
    },
    can: (by: -1 | 1) => states[at + by] !== undefined,
  };
}
