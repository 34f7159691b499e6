import type { AssetChange } from '../../toolbar/protocol.ts';
import type { FoundPlace, PlacedText } from '../found-place.ts';
import { findPlaces } from '../source-places.ts';
import { applyEdits, type SourceFile } from '../source-text.ts';
import { assertOnlyChanged, expectedProps, unsafe } from './assert-only-changed.ts';
import { editImage } from './edit-address.ts';
import { editProps } from './edit-props.ts';
import { changeable } from './write-value.ts';

/**
 * Changes the props of a place, and nothing else. The changed text is parsed again, and must have the
 * intended props.
 *
 * @param place as `findPlaces` has found it in the file
 * @throws `source-computed` if a prop to change isn't literal; `source-unsafe` if the edited text would
 * have other props, or anything else would change
 */
export async function changePlace(
  file: SourceFile,
  place: FoundPlace,
  change: AssetChange,
): Promise<PlacedText> {
  expectedProps(place, change);
  let now: PlacedText = { text: file.text, place };
  // One prop at a time, so that no edit touches another one.
  for (const step of stepsOf(change)) {
    const { form } = now.place;
    const edits =
      form.kind === 'image'
        ? editImage(now.text, now.place, form, step)
        : editProps(now.text, now.place, form, step);
    const text = applyEdits(now.text, edits);
    if (text !== now.text) now = await findAgain({ path: file.path, text }, place);
  }
  await assertOnlyChanged(file.path, { text: file.text, place }, { now, change });
  return now;
}

/** In an order in which each step leaves props that a build accepts. */
function stepsOf({ sources = [], ...props }: AssetChange): AssetChange[] {
  const removed = (['focus', 'aspect', 'crop'] as const).filter((name) => props[name] === null);
  const written = changeable.filter((name) => (props[name] ?? undefined) !== undefined);
  return [
    ...[...removed, ...written].map((name) => ({ [name]: props[name] })),
    ...sources.map((source) => ({ sources: [source] })),
  ];
}

async function findAgain(file: SourceFile, place: FoundPlace): Promise<PlacedText> {
  const places = await findPlaces(file).catch((cause: unknown) => {
    throw unsafe(place, cause);
  });
  const found = places.find(({ start, kind }) => start === place.start && kind === place.kind);
  if (!found) throw unsafe(place);
  return { text: file.text, place: found };
}
