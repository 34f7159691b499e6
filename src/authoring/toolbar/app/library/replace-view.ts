import { createButton, createElement } from '../../../crop-editor/create-element.ts';
import type { AssetChange, ListedAsset, ShownAsset, ShownProps } from '../../protocol.ts';
import { createFacts, createNotice, describeSize } from '../describe.ts';
import { noticeFrom, type Session } from '../session.ts';
import type { Thumbnails } from './thumbnails.ts';

/** Asks what the new image takes over from the old one. */
export function createReplaceView(options: {
  asset: ListedAsset;
  shown: ShownAsset;
  session: Session;
  thumbnails: Thumbnails;
  /** Opens the crop editor with the props, and saves what it's drawn as. */
  onCrop(props: ShownProps, onSave: (drawn: AssetChange) => Promise<void>): void;
  onReplace(change: AssetChange): Promise<void>;
}): { element: HTMLElement; focus(): void } {
  const { asset, shown } = options;
  const image = createElement('img', { alt: '', class: 'preview' });
  options.thumbnails.watch(image, asset.id);
  const alt = createElement('input', { type: 'text', id: 'replace-alt' });
  alt.value = shown.alt;
  let typed = false;
  alt.addEventListener('input', () => {
    typed = true;
  });
  const keep = createElement('input', { type: 'radio', name: 'crop', value: 'keep' });
  const remove = createElement('input', { type: 'radio', name: 'crop', value: 'remove' });
  remove.checked = true;
  keep.disabled = !fits(shown, asset);
  const failure = createElement('div');
  const hasCrop = Object.keys(removedCrops(shown)).length > 0;

  const change = (): AssetChange => ({
    id: asset.id,
    ...(alt.value === shown.alt ? {} : { alt: alt.value }),
    ...(keep.checked ? {} : removedCrops(shown)),
  });
  async function replace(): Promise<void> {
    try {
      await options.onReplace(change());
    } catch (error) {
      failure.replaceChildren(createNotice(noticeFrom(error), 'alert'));
    }
  }

  const form = createElement(
    'form',
    { class: 'view' },
    createElement('h2', {}, `Replace with ${asset.name}`),
    image,
    createFacts([
      ['ID', `${shown.id} → ${asset.id}`],
      ['Size', describeSize(asset.size)],
    ]),
    createElement('label', { for: alt.id }, 'Alt text'),
    alt,
    ...(hasCrop
      ? [
          createElement(
            'fieldset',
            {},
            createElement('legend', {}, 'Remove the crop of the old image?'),
            createElement('label', { class: 'row' }, remove, 'Remove'),
            createElement(
              'label',
              { class: 'row' },
              keep,
              keep.disabled ? "Keep (it doesn't fit into the new image)" : 'Keep',
            ),
          ),
        ]
      : []),
    createElement(
      'div',
      { class: 'actions' },
      createElement('button', { type: 'submit', class: 'primary' }, 'Crop and replace'),
      createButton('Replace', () => void replace()),
    ),
    failure,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const replaced = change();
    const props = keep.checked ? shown.props : withoutCrops(shown.props);
    options.onCrop(props, (drawn) => options.onReplace(merge(replaced, drawn)));
  });
  options.session.asset(asset.id).then(
    (details) => {
      if (typed || !details.alt) return;
      alt.value = details.alt;
      // Who starts to type replaces this text, as the one before.
      if (alt.matches(':focus')) alt.select();
    },
    // The old text stays.
    () => {},
  );
  return {
    element: form,
    focus() {
      alt.focus();
      alt.select();
    },
  };
}

function withoutCrops({ crop: _, sources, ...props }: ShownProps): ShownProps {
  return { ...props, sources: sources?.map(({ crop: _, ...source }) => source) };
}

/** The later changes win. */
function merge(earlier: AssetChange, later: AssetChange): AssetChange {
  const { sources = [] } = later;
  const changed = new Set(sources.map(({ index }) => index));
  const kept = (earlier.sources ?? []).filter(({ index }) => !changed.has(index));
  const all = [...kept, ...sources];
  return { ...earlier, ...later, ...(all.length > 0 ? { sources: all } : {}) };
}

function removedCrops({ props }: ShownAsset): AssetChange {
  const sources = (props.sources ?? []).flatMap(({ crop }, index) =>
    crop ? [{ index, crop: null }] : [],
  );
  return { ...(props.crop && { crop: null }), ...(sources.length > 0 && { sources }) };
}

/** Whether all crops of the old image lie inside the new one. */
function fits({ props }: ShownAsset, { size }: ListedAsset): boolean {
  const crops = [props.crop, ...(props.sources ?? []).map(({ crop }) => crop)];
  return crops.every(
    (crop) =>
      crop === undefined ||
      crop.unit === 'fraction' ||
      (size !== undefined &&
        crop.x + crop.width <= size.width &&
        crop.y + crop.height <= size.height),
  );
}
