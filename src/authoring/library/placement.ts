import { createElement } from '../crop-editor/create-element.ts';
import type { AssetDetails } from '../toolbar/protocol.ts';
import { createAltInput } from './alt-input.ts';
import { createFacts, createNotice } from './describe.ts';

/** What an author decides before an asset is placed: its alt text, and whether a forbidden one may be. */
export function createPlacement(given: {
  /** What the service says about the asset, once it's known. */
  readonly details: Promise<AssetDetails>;
  readonly before?: string | undefined;
  /** What the author has decided before. */
  readonly typed?: string | undefined;
  /** Where the page has the text from, if it can't be written here. */
  readonly fixed?: string | undefined;
}) {
  const { details, before, fixed, typed } = given;
  const facts = createElement('div');
  const warning = createElement('div');
  const field = createAltInput();
  const { input: alt, decoration, problem } = field;
  const until = before && `Until now: “${before}”`;
  const hint = fixed ?? until ?? (before === '' ? 'Until now: decoration' : '');
  const inputs = [
    createElement('label', { for: alt.id }, 'Alt text'),
    alt,
    createElement('label', { class: 'row' }, decoration, 'Mark as decoration'),
    problem,
  ];
  const about = createElement('p', { class: 'quiet' }, hint);
  const parts = [facts, ...(fixed === undefined ? inputs : []), about, warning];
  let ofRecord: string | undefined;
  let isWarned = false;
  field.show(typed);

  const known = details.then(
    ({ record: found }) => {
      ofRecord = found?.alt?.trim();
      const { credit = '', rights = '' } = found ?? {};
      facts.replaceChildren(createFacts(Object.entries({ Credit: credit, Rights: rights })));
      // Who has written something keeps it.
      if (alt.value) return found;
      alt.value = ofRecord ?? '';
      // Who starts to type replaces the text.
      if (alt.matches(':focus')) alt.select();
      return found;
    },
    // The list of usages says what's wrong.
    () => ({ isForbidden: true, rights: "its rights aren't known" }),
  );

  return {
    element: createElement('div', { class: 'placement' }, ...parts),
    focus() {
      alt.focus();
      alt.select();
    },
    /**
     * The alt text, `''` for decoration, and whether it's the record's. `undefined` if the author has to
     * write a text first, or to see that the asset is forbidden.
     */
    async read(): Promise<{ alt: string; isOfRecord: boolean } | undefined> {
      const found = await known;
      const text = field.text();
      if (fixed === undefined && text === undefined) {
        field.askForText();
        return undefined;
      }
      if (found?.isForbidden && !isWarned) {
        isWarned = true;
        const message = `The site may not show this asset (${found.rights}).`;
        const hint = 'Choose another one, or click again to place it anyway.';
        warning.replaceChildren(createNotice({ code: 'asset-forbidden', message, hint }, 'alert'));
        return undefined;
      }
      return { alt: text ?? '', isOfRecord: text ? text === ofRecord : false };
    },
  };
}
