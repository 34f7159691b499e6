import { createElement } from '../../crop-editor/create-element.ts';
import { createFailure, createNotice, describePlace } from '../../library/describe.ts';
import type { Session } from '../../library/session.ts';
import type { ShownAsset, SourcePlace } from '../protocol.ts';

export type PlaceChooser = ReturnType<typeof createPlaceChooser>;

/** Shows where an image comes from, and lets the author choose if several places fit. */
export function createPlaceChooser(session: Session, shown: ShownAsset) {
  const from = shown.place ? describePlace(shown.place) : '…';
  const element = createElement('div', { class: 'source' }, createElement('code', {}, from));
  let chosen: SourcePlace | undefined;
  const places = session.places(shown).then(
    (answer) => {
      if (answer.isCall) [chosen] = answer.places;
      else if (answer.places.length > 0) element.replaceChildren(chooser(answer.places));
      else if (answer.notice) element.append(createNotice(answer.notice));
      return answer.places;
    },
    (error) => {
      element.append(createFailure(error));
      return [];
    },
  );

  function chooser(all: readonly SourcePlace[]): HTMLElement {
    const isSure = all.every(({ number }) => number === undefined);
    const rows = all.map((place) => {
      const input = createElement('input', { type: 'radio', name: 'place' });
      input.addEventListener('change', () => {
        chosen = place;
      });
      const text = `${describePlace(place)}${isSure ? '' : `: ${place.number}`}`;
      return createElement('label', { class: 'row' }, input, text);
    });
    const question = isSure
      ? 'The image may come from here. Choose the place to change it.'
      : 'These numbers may be the image’s ID, or something else. Which one do you want to change?';
    return createElement('fieldset', {}, createElement('legend', {}, question), ...rows);
  }

  return {
    element,
    /** The place to write to: `undefined` if there's none, or none is chosen. */
    async chosen() {
      await places;
      return chosen;
    },
    exists: async () => (await places).length > 0,
  };
}
