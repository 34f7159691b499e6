import type { Crop, Focus } from '../../../../assets/geometry/crop.ts';
import type { AssetChange, ListedAsset } from '../../protocol.ts';
import { createCopySnippets } from '../copy-snippets.ts';
import { createElement } from '../create-element.ts';
import {
  createButton,
  createFacts,
  createNotice,
  describeBytes,
  describeSize,
  kindNames,
} from '../describe.ts';
import { noticeFrom, type Session } from '../session.ts';
import { createUsages } from './asset-usages.ts';
import type { Thumbnails } from './thumbnails.ts';

/** What an author has drawn for an asset of the library. */
export interface Drawn {
  readonly crop?: Crop | undefined;
  readonly aspect?: number | string | undefined;
  readonly focus?: Focus | undefined;
}

/** An asset of the library: what it is, where it's used, and its source text to copy. */
export function createAssetView(options: {
  asset: ListedAsset;
  session: Session;
  thumbnails: Thumbnails;
  announce(message: string): void;
  /** Opens the crop editor. `onDrawn` gets what changed. */
  onCrop(drawn: Drawn, onDrawn: (change: AssetChange) => void): void;
}): { element: HTMLElement; crop(): void } {
  const { asset, session } = options;
  let drawn: Drawn = {};
  const image = createElement('img', { alt: '', class: 'preview' });
  options.thumbnails.watch(image, asset.id);
  const alt = createElement('input', { type: 'text', id: 'asset-alt' });
  const state = createElement('p', { class: 'quiet', role: 'status' });
  const usages = createElement('div');
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
    usages,
  );
  session.asset(asset.id).then(
    (details) => {
      if (alt.value === '') alt.value = details.alt ?? '';
      usages.replaceChildren(createUsages(details));
    },
    (error) => usages.replaceChildren(createNotice(noticeFrom(error), 'alert')),
  );
  return { element, crop };
}

/** Takes over what changed: `null` removes a value. */
export function applyChange(drawn: Drawn, change: AssetChange): Drawn {
  const pick = <Value>(before: Value | undefined, after: Value | null | undefined) =>
    after === undefined ? before : (after ?? undefined);
  return {
    crop: pick(drawn.crop, change.crop),
    aspect: pick(drawn.aspect, change.aspect),
    focus: pick(drawn.focus, change.focus),
  };
}

export function describeDrawn({ crop, aspect }: Drawn): string {
  if (crop) return `Crop ${Math.round(crop.width)} × ${Math.round(crop.height)} px`;
  return aspect === undefined ? '' : `Shape ${aspect}`;
}
