import type { AssetChange, PlacesAnswer, ShownAsset, SourcePlace } from '../protocol.ts';
import { createElement } from './create-element.ts';
import { labelOf, type PageImage } from './page-images.ts';
import type { Session } from './session.ts';
import { formatSnippets, type Snippets } from './snippets.ts';

export interface Details {
  readonly element: HTMLElement;
  show(image: PageImage | undefined): Promise<void>;
}

type Save = (change: AssetChange) => Promise<SourcePlace>;

/** The selected image: its facts, where the source names it, and what the author can do. */
export function createDetails({
  session,
  onCrop,
  onSaved,
}: {
  session: Session;
  onCrop: (image: PageImage, save: Save) => Promise<void>;
  onSaved: (place: SourcePlace) => void;
}): Details {
  const element = createElement('div', { class: 'details' });
  /** The image whose details are shown. Answers for another one come too late. */
  let current: PageImage | undefined;

  return {
    element,
    async show(image) {
      current = image;
      element.replaceChildren();
      element.hidden = !image;
      if (!image) return;
      const { shown, problems } = image;
      const thumbnail = createElement('img', { alt: '' });
      const problem = createElement('p', { class: 'problem', role: 'alert' });
      const fail = (thrown: unknown) => {
        problem.textContent = thrown instanceof Error ? thrown.message : String(thrown);
      };
      element.append(
        createElement('h3', {}, labelOf(shown)),
        thumbnail,
        factsOf(shown),
        ...problems.map(({ message }) => createElement('p', { class: 'warning' }, message)),
        problem,
      );
      session.image(shown.id, 320).then((url) => {
        thumbnail.src = url;
      }, fail);
      const answer = await session.places(shown).catch((thrown: unknown) => fail(thrown));
      if (current !== image) return;
      const places = answer?.places ?? [];
      if (answer?.notice) element.append(noticeOf(answer));
      const chosen = createPlaces(places);
      const save: Save = async (change) => {
        const place = chosen.place();
        if (!place) throw new Error(answer?.notice?.message ?? "The source can't be changed.");
        return (await session.save({ place, change })).place;
      };
      element.append(chosen.element);
      const canSave = places.length > 0;
      if (shown.original && canSave) element.append(cropButton());
      if (canSave) element.append(createReplace(shown, { save, onSaved, fail }));
      element.append(createCopy(shown));

      function cropButton(): HTMLButtonElement {
        const button = createElement('button', { type: 'button', class: 'main' }, 'Crop');
        button.addEventListener('click', () => image && onCrop(image, save).catch(fail));
        return button;
      }
    },
  };
}

function factsOf({ id, alt, original, place }: ShownAsset): HTMLElement {
  const facts: [string, string][] = [
    ['ID', String(id)],
    ['Alt', alt === '' ? 'none (decoration)' : alt],
    ...(original
      ? [['Size', `${original.width} × ${original.height} px`] as [string, string]]
      : []),
    ...(place ? [['Source', `${place.file}:${place.line}`] as [string, string]] : []),
  ];
  return createElement(
    'dl',
    {},
    ...facts.flatMap(([name, value]) => [
      createElement('dt', {}, name),
      createElement('dd', {}, value),
    ]),
  );
}

function noticeOf({ notice }: PlacesAnswer): HTMLElement {
  const text = [notice?.message, notice?.hint?.split('\n')[0]].filter(Boolean).join(' ');
  return createElement('p', { class: 'notice' }, text);
}

/** Where a change is saved. If several places have the same asset and crop, the author chooses. */
function createPlaces(places: readonly SourcePlace[]) {
  const names = places.map(({ file, line }) => `${file}:${line}`);
  const [first] = names;
  const text = createElement('p', {}, first === undefined ? '' : `Saves to ${first}`);
  const select = createElement('select', {});
  select.append(...names.map((name, at) => createElement('option', { value: String(at) }, name)));
  const label = createElement('label', {}, 'Saves to ', select);
  return {
    element: places.length > 1 ? label : text,
    place: () => places[places.length > 1 ? select.selectedIndex : 0],
  };
}

/** Shows another asset in the place of this one. */
function createReplace(
  shown: ShownAsset,
  given: { save: Save; onSaved: (place: SourcePlace) => void; fail: (thrown: unknown) => void },
): HTMLElement {
  const id = createElement('input', { inputmode: 'numeric', required: '', name: 'id' });
  const alt = createElement('input', { name: 'alt', value: shown.alt });
  const keep = createElement('input', { type: 'checkbox', name: 'keep' });
  const submit = createElement('button', { type: 'submit' }, 'Replace');
  const hasCrop = shown.props.crop !== undefined;
  const form = createElement(
    'form',
    {},
    createElement('label', {}, 'ID of the new asset', id),
    createElement('label', {}, 'Alt text', alt),
    ...(hasCrop ? [createElement('label', { class: 'check' }, keep, 'Keep the crop')] : []),
    submit,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const number = Number(id.value);
    if (!Number.isSafeInteger(number) || number === 0) {
      return given.fail(
        new Error(`${id.value} isn't an asset ID. Use a whole number other than 0.`),
      );
    }
    const change: AssetChange = {
      id: number,
      ...(alt.value !== shown.alt && { alt: alt.value }),
      ...(hasCrop && !keep.checked && { crop: null }),
    };
    await given.save(change).then(given.onSaved, given.fail);
  });
  const summary = createElement('summary', {}, 'Replace');
  return createElement('details', {}, summary, form);
}

/** Buttons that copy the image as source code. */
function createCopy({ id, alt, props }: ShownAsset): HTMLElement {
  const snippets = formatSnippets({ id, alt, ...props });
  const names: Record<keyof Snippets, string> = {
    astro: 'Copy for Astro',
    markdown: 'Copy for Markdown',
    frontmatter: 'Copy for frontmatter',
  };
  const text = createElement('textarea', { readonly: '', rows: '4', 'aria-label': 'Code' });
  text.value = snippets.astro;
  const status = createElement('p', { role: 'status' });
  const buttons = Object.entries(names).map(([kind, name]) => {
    const button = createElement('button', { type: 'button' }, name);
    button.addEventListener('click', async () => {
      text.value = snippets[kind as keyof Snippets];
      const copied = await navigator.clipboard.writeText(text.value).then(
        () => true,
        () => false,
      );
      if (!copied) text.select();
      status.textContent = copied ? 'Copied.' : "The browser doesn't allow copying. Copy the text.";
    });
    return button;
  });
  const summary = createElement('summary', {}, 'Copy');
  const row = createElement('div', { class: 'buttons' }, ...buttons);
  return createElement('details', {}, summary, row, text, status);
}
