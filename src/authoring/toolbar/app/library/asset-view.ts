import { createButton, createElement } from '../../../crop-editor/create-element.ts';
import { applyChange, describeDrawn, type GivenCut } from '../../../crop-editor/crop-change.ts';
import type { AssetChange, ListedAsset } from '../../protocol.ts';
import { createCopySnippets } from '../copy-snippets.ts';
import { createFacts, describeBytes, describeSize, kindNames } from '../describe.ts';
import type { Session } from '../session.ts';
import { createUsages } from './asset-usages.ts';
import type { Thumbnails } from './thumbnails.ts';

/** An asset of the library: what it is, where it's used, and its source text to copy. */
export function createAssetView(options: {
  asset: ListedAsset;
  session: Session;
  thumbnails: Thumbnails;
  announce(message: string): void;
  /** Opens the crop editor. `onDrawn` gets what changed. */
  onCrop(drawn: GivenCut, onDrawn: (change: AssetChange) => void): void;
}): { element: HTMLElement; crop(): void } {
  const { asset, session } = options;
  let drawn: GivenCut = {};
  const image = createElement('img', { alt: '', class: 'preview' });
  options.thumbnails.watch(image, asset.id);
  const alt = createElement('input', { type: 'text', id: 'asset-alt' });
  const state = createElement('p', { class: 'quiet', role: 'status' });
  const details = session.asset(asset.id);
  const crop = () =>
    options.onCrop(drawn, (change) => {
      drawn = applyChange(drawn, change);
      state.textContent = describeDrawn(drawn);
    });
  const element = createElement(
    'div',
    { class: 'view' },
    createElement('h2', { tabindex: '-1' }, asset.name),
    image,
    createFacts([
      ['ID', String(asset.id)],
      ['Kind', kindNames[asset.kind]],
      ['Size', [describeSize(asset.size), describeBytes(asset.bytes)].filter(Boolean).join(', ')],
    ]),
    ...(asset.kind === 'image'
      ? [
          createElement('div', { class: 'actions' }, createButton('Crop', crop, 'primary')),
          state,
          createElement('label', { for: 'asset-alt' }, 'Alt text'),
          alt,
          createCopySnippets({
            asset: () => ({ id: asset.id, alt: alt.value, ...drawn }),
            announce: options.announce,
          }),
        ]
      : []),
    createUsages(details),
  );
  details.then(
    ({ alt: text = '' }) => {
      if (alt.value === '') alt.value = text;
    },
    // The list of usages says what's wrong.
    () => {},
  );
  return { element, crop };
}
