import type { Size } from '../../assets/formats/rendition.ts';
import type { CropChange, GivenCut } from './crop-change.ts';
import {
  type CropState,
  changeOf,
  type OwnState,
  sourceChangeOf,
  startSourceState,
  startState,
} from './crop-state.ts';

/** The default image, or an entry of `sources`, with its own undo. */
export interface Cut {
  readonly label: string;
  readonly given: GivenCut;
  readonly isSource: boolean;
  readonly history: ReturnType<typeof createHistory>;
}

/** The default image's first. */
export function createCuts({
  original,
  sources,
  crop,
  aspect,
  focus,
}: GivenCut & {
  readonly original: Size;
  readonly sources: readonly (GivenCut & { readonly media: string })[];
}): Cut[] {
  const own = { label: 'Default', given: { crop, aspect, focus }, isSource: false };
  const others = sources.map((given) => ({ label: given.media, given, isSource: true }));
  return [own, ...others].map((cut) => ({
    ...cut,
    history: createHistory(startOf(cut, original)),
  }));
}

/** What the page shows now. */
export function startOf(
  { isSource, given }: Pick<Cut, 'isSource' | 'given'>,
  original: Size,
): CropState {
  return isSource ? startSourceState(given, original) : startState(given, original);
}

/** The props of all cuts to write. */
export function savedChange(cuts: readonly Cut[], original: Size): CropChange {
  const [first, ...others] = cuts as [Cut, ...Cut[]];
  const sources = others.flatMap(({ given, history }, index) => {
    const crop = sourceChangeOf(history.now(), { given, original });
    return crop === undefined ? [] : [{ index, crop }];
  });
  return {
    ...changeOf(first.history.now() as OwnState, { given: first.given, original }),
    ...(sources.length > 0 && { sources }),
  };
}

export function isChanged({ isSource, given, history }: Cut, original: Size): boolean {
  if (isSource) return sourceChangeOf(history.now(), { given, original }) !== undefined;
  return Object.keys(changeOf(history.now() as OwnState, { given, original })).length > 0;
}

/** The states of one image, with undo and redo. */
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
    undo() {
      at = Math.max(0, at - 1);
    },
    redo() {
      at = Math.min(states.length - 1, at + 1);
    },
    canUndo: () => at > 0,
    canRedo: () => at < states.length - 1,
  };
}
