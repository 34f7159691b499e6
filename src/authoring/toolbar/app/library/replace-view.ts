import { createButton, createElement } from '../../../crop-editor/create-element.ts';
import type { GivenCuts } from '../../../crop-editor/crop-state.ts';
import type * as protocol from '../../protocol.ts';
import { createFacts, createNotice, describeSize } from '../describe.ts';
import { createPlacement } from '../placement.ts';
import { noticeFrom, type Session } from '../session.ts';
import type { Thumbnails } from './thumbnails.ts';

/** Asks for the text of the new image, whose crop isn't that of the old one. */
export function createReplaceView(options: {
  asset: protocol.ListedAsset;
  shown: protocol.ShownAsset;
  place: protocol.SourcePlace;
  session: Session;
  thumbnails: Thumbnails;
  /** Opens the crop editor with the props, and saves what it's drawn as. */
  onCrop(props: GivenCuts, onSave: (drawn: protocol.AssetChange) => Promise<void>): void;
  onReplace(change: protocol.AssetChange): Promise<void>;
}): { element: HTMLElement; focus(): void } {
  const { asset, shown, place, session } = options;
  const image = options.thumbnails.create(asset.id, 'preview');
  const details = session.asset({ id: asset.id, locale: shown.locale });
  const fixed = place.isAltFixed ? describeFixed(shown) : undefined;
  const record = details.then((known) => known.record);
  const placement = createPlacement({ record, before: shown.alt, fixed, typed: asset.alt });
  const failure = createElement('div');

  async function readChange(): Promise<protocol.AssetChange | undefined> {
    const placed = await placement.read();
    if (!placed) return undefined;
    const { alt, isOfRecord } = placed;
    // A source without a text takes the record's.
    const stays =
      place.isAltFixed || (shown.given === undefined ? isOfRecord : alt === shown.given);
    return { id: asset.id, ...(stays ? {} : { alt }), ...removedCrops(shown) };
  }
  async function replace(): Promise<void> {
    const change = await readChange();
    if (!change) return;
    try {
      await options.onReplace(change);
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
    placement.element,
    createElement(
      'div',
      { class: 'actions' },
      createElement('button', { type: 'submit', class: 'primary' }, 'Crop and replace'),
      createButton('Replace', () => void replace()),
    ),
    failure,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const replaced = await readChange();
    if (!replaced) return;
    const { crop: _, sources, ...others } = shown.props;
    const uncropped = sources?.map(({ crop: _, ...source }) => source);
    options.onCrop({ ...others, sources: uncropped }, (drawn) =>
      options.onReplace(merge(replaced, drawn)),
    );
  });
  return {
    element: form,
    focus() {
      if (fixed) form.querySelector<HTMLElement>('.primary')?.focus();
      else placement.focus();
    },
  };
}

function describeFixed({ given }: protocol.ShownAsset): string {
  if (given === undefined) return "The page shows the alt text of the asset's record.";
  const text = given === '' ? 'marks the image as decoration' : `has the alt text “${given}”`;
  return `The page's template ${text}. If that doesn't fit the new image, change it there.`;
}

/** The later changes win. */
function merge(earlier: protocol.AssetChange, later: protocol.AssetChange): protocol.AssetChange {
  const { sources = [] } = later;
  const changed = new Set(sources.map(({ index }) => index));
  const kept = (earlier.sources ?? []).filter(({ index }) => !changed.has(index));
  const all = [...kept, ...sources];
  return { ...earlier, ...later, ...(all.length > 0 ? { sources: all } : {}) };
}

function removedCrops({ props }: protocol.ShownAsset): protocol.AssetChange {
  const sources = (props.sources ?? []).flatMap(({ crop }, index) =>
    crop ? [{ index, crop: null }] : [],
  );
  return { ...(props.crop && { crop: null }), ...(sources.length > 0 && { sources }) };
}
