import { createElement } from '../../crop-editor/create-element.ts';
import type { AssetChange, ShownAsset, SourcePlace } from '../protocol.ts';
import { createFailure, describeAltSource, lacksAlt } from './describe.ts';
import { readMemory, remember } from './tab-memory.ts';

export interface AltSaving {
  /** Where the text is written; `undefined` if there's none, or the author hasn't chosen one. */
  placeOf(shown: ShownAsset): Promise<SourcePlace | undefined>;
  save(place: SourcePlace, change: AssetChange): Promise<void>;
}

let count = 0;

/**
 * The alt text of an image of the page, which is saved when the author leaves it. What's typed survives
 * a reload of the page.
 */
export function createAltField(
  { key, shown }: { readonly key: string; readonly shown: ShownAsset },
  saving: AltSaving,
) {
  const id = `alt-${++count}`;
  const { given, record, name = `image ${shown.id}` } = shown;
  const own = given ?? '';
  const drafts = readMemory().drafts ?? {};
  const draft = drafts[key];
  const problem = createElement('p', { class: 'problem', id: `${id}-problem`, role: 'alert' });
  const hint = createElement('p', { class: 'quiet', id: `${id}-hint` });
  const failure = createElement('div');
  const input = createElement('input', {
    ...{ type: 'text', id, maxlength: '10000', autocomplete: 'off' },
    'aria-label': `Alt text of ${name}`,
    'aria-describedby': `${problem.id} ${hint.id}`,
    placeholder: record?.alt ? `${record.alt} (record)` : '',
  });
  const decoration = createElement('input', { type: 'checkbox' });
  decoration.setAttribute('aria-label', `${name} is decoration`);
  let isSaved = true;

  function showText(text: string | undefined): void {
    input.value = text ?? '';
    decoration.checked = text === '';
    input.disabled = decoration.checked;
  }
  function showProblem(message: string): void {
    problem.textContent = message;
    input.ariaInvalid = message === '' ? null : 'true';
  }
  function keep(text: string | undefined): void {
    const { [key]: _, ...others } = readMemory().drafts ?? {};
    const kept = text === undefined ? others : { ...others, [key]: { text, before: own } };
    remember({ drafts: kept });
  }

  async function submit(): Promise<void> {
    const text = decoration.checked ? '' : input.value.trim();
    const isOfRecord = !decoration.checked && (text === '' || text === record?.alt);
    if (isOfRecord && !record?.alt) {
      showProblem('Write what the image shows, or mark it as decoration.');
      return;
    }
    const wanted = isOfRecord ? undefined : text;
    if (wanted === given) {
      isSaved = true;
      return keep(undefined);
    }
    failure.replaceChildren();
    try {
      const place = await saving.placeOf(shown);
      if (!place) return showProblem('Choose the place to change first: open the image.');
      if (place.isAltFixed) return showProblem(describeAltSource(shown));
      await saving.save(place, { alt: wanted ?? null });
      isSaved = true;
      hint.textContent = 'Saved';
      keep(undefined);
    } catch (error) {
      failure.replaceChildren(createFailure(error));
    }
  }

  showText(given);
  if (lacksAlt(shown)) hint.textContent = 'No alt text';
  if (draft && draft.text !== own) {
    showText(draft.text || undefined);
    isSaved = false;
    hint.textContent =
      draft.before === own ? 'Not saved yet' : `Not saved yet. The source now has “${own}”.`;
  }
  input.addEventListener('input', () => {
    isSaved = false;
    showProblem('');
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
    input.disabled = decoration.checked;
    showProblem('');
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
