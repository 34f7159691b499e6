import type { Size } from '../assets/formats/rendition.ts';
import type { CropChange } from './crop-change.ts';
import { createHistory, type History } from './crop-history.ts';
import {
  type CropState,
  changeOf,
  type GivenCut,
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
  readonly history: History<CropState>;
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
  const given = { crop, aspect, focus };
  return [
    {
      label: 'Default',
      given,
      isSource: false,
      history: createHistory<CropState>(startState(given, original)),
    },
    ...sources.map((source) => ({
      label: source.media,
      given: source,
      isSource: true,
      history: createHistory(startSourceState(source, original)),
    })),
  ];
}

/** What the page shows now. */
export function startOf({ isSource, given }: Cut, original: Size): CropState {
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
