import type { AssetChange } from '../../toolbar/protocol.ts';
import { applyEdits, type Edit, type FoundPlace } from '../found-place.ts';
import { editData } from './edit-data.ts';
import { editImage } from './edit-image.ts';
import { editTag } from './edit-tag.ts';

/**
 * The text with the place's props changed. Every other byte stays.
 *
 * @param text the text in which `findPlaces` found the place
 * @throws `source-computed` if a prop to change isn't literal
 */
export function changePlace(text: string, place: FoundPlace, change: AssetChange): string {
  return applyEdits(text, editsOf(text, place, change));
}

function editsOf(text: string, place: FoundPlace, change: AssetChange): Edit[] {
  const { form } = place;
  switch (form.kind) {
    case 'tag':
      return editTag(text, place, form, change);
    case 'image':
      return editImage(text, place, form, change);
    case 'value':
      return editData(text, place, form, change);
  }
}
