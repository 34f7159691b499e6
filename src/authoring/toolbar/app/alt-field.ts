import { createElement } from '../../crop-editor/create-element.ts';
import { createAltInput } from '../../library/alt-input.ts';
import { createFailure, describeAltSource, lacksAlt } from '../../library/describe.ts';
import type { AssetChange, ShownAsset, SourcePlace } from '../protocol.ts';
import { readMemory, remember } from './tab-memory.ts';

export interface AltSaving {
  /** Where the text is written; `undefined` if there's none, or the author hasn't chosen one. */
  placeOf(shown: ShownAsset): Promise<SourcePlace | undefined>;
  save(place: SourcePlace, change: AssetChange): Promise<void>;
}

/** An alt text on the page, saved when the author leaves it. A draft survives a reload. */
export function createAltField(
  { draftKey: key, shown }: { readonly draftKey: string; readonly shown: ShownAsset },
  saving: AltSaving,
) {
  const { given, record, name = `image ${shown.id}` } = shown;
  const own = given ?? '';
  const draft = readMemory().drafts?.[key];
  const hint = createElement('p', { class: 'quiet' });
  const failure = createElement('div');
  const field = createAltInput({
    autocomplete: 'off',
    'aria-label': `Alt text of ${name}`,
    placeholder: record?.alt ? `${record.alt} (record)` : '',
  });
  const { input, decoration, problem, showProblem } = field;
  decoration.setAttribute('aria-label', `${name} is decoration`);
  let isSaved = true;

  function keep(text: string | undefined): void {
    const { [key]: _, ...others } = readMemory().drafts ?? {};
    remember({
      drafts: { ...others, ...(text !== undefined && { [key]: { text, before: own } }) },
    });
  }

  async function submit(): Promise<void> {
    const text = field.text();
    if (text === undefined && !record?.alt) return field.askForText();
    const wanted = text && text === record?.alt ? undefined : text;
    // Whoever leaves the field meanwhile saves nothing twice.
    isSaved = true;
    if (wanted === given) return keep(undefined);
    failure.replaceChildren();
    try {
      const place = await saving.placeOf(shown);
      if (!place) return showProblem('Choose the place to change first: open the image.');
      if (place.isAltFixed) return showProblem(describeAltSource(shown));
      await saving.save(place, { alt: wanted ?? null });
      hint.textContent = 'Saved';
      keep(undefined);
    } catch (error) {
      isSaved = false;
      failure.replaceChildren(createFailure(error));
    }
  }

  field.show(given);
  if (lacksAlt(shown)) hint.textContent = 'No alt text';
  if (draft && draft.text !== own) {
    field.show(draft.text || undefined);
    isSaved = false;
    hint.textContent =
      draft.before === own ? 'Not saved yet' : `Not saved yet. The source now has “${own}”.`;
  }
  input.addEventListener('input', () => {
    isSaved = false;
    hint.textContent = '';
    keep(input.value);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') void submit();
  });
  input.addEventListener('focus', () => remember({ typing: key }));
  input.addEventListener('blur', () => {
    remember({ typing: undefined });
    if (!isSaved) void submit();
  });
  decoration.addEventListener('change', () => {
    if (decoration.checked) void submit();
    else input.focus();
  });

  return {
    element: createElement(
      'div',
      { class: 'alt' },
      input,
      createElement('label', { class: 'row' }, decoration, 'Decoration'),
      problem,
      hint,
      failure,
    ),
    focus() {
      input.focus();
      input.setSelectionRange(input.value.length, input.value.length);
    },
  };
}
