import { createButton, createElement } from '../../../crop-editor/create-element.ts';
import type { GivenCuts } from '../../../crop-editor/crop-state.ts';
import type * as protocol from '../../protocol.ts';
import { createFacts, describeAltSource, describeSize } from '../describe.ts';
import { createPlacement } from '../placement.ts';
import type { Session } from '../session.ts';

/** Asks for the text of the new image, whose crop isn't that of the old one. */
export function createReplaceView(options: {
  asset: protocol.ListedAsset;
  shown: protocol.ShownAsset;
  place: protocol.SourcePlace;
  session: Session;
  /** Opens the crop editor with the props, and saves what it's drawn as. */
  onCrop(props: GivenCuts, onSave: (drawn: protocol.AssetChange) => Promise<void>): void;
  onReplace(change: protocol.AssetChange): Promise<void>;
  onFailure(error: unknown): void;
}): { element: HTMLElement; focus(): void } {
  const { asset, shown, place, session } = options;
  const image = session.thumbnail(asset.id, 'preview');
  const details = session.asset({ id: asset.id, locale: shown.locale });
  const fixed = place.isAltFixed ? describeAltSource(shown) : undefined;
  const placement = createPlacement({ details, before: shown.alt, fixed, typed: asset.alt });

  async function readChange(): Promise<protocol.AssetChange | undefined> {
    const placed = await placement.read();
    if (!placed) return undefined;
    const { alt, isOfRecord } = placed;
    // A source without a text takes the record's, also when that changes.
    const wanted = isOfRecord ? undefined : alt;
    const stays = place.isAltFixed || wanted === shown.given;
    return { id: asset.id, ...(stays ? {} : { alt: wanted ?? null }), ...removedCrops(shown) };
  }
  async function replace(): Promise<void> {
    const change = await readChange();
    if (change) await options.onReplace(change).catch(options.onFailure);
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

/** The later changes win. */
function merge(earlier: protocol.AssetChange, later: protocol.AssetChange): protocol.AssetChange {
  const all = [...(earlier.sources ?? []), ...(later.sources ?? [])];
  const sources = [...new Map(all.map((one) => [one.index, one])).values()];
  return { ...earlier, ...later, ...(sources.length > 0 && { sources }) };
}

function removedCrops({ props }: protocol.ShownAsset): protocol.AssetChange {
  const sources = (props.sources ?? []).flatMap(({ crop }, index) =>
    crop ? [{ index, crop: null }] : [],
  );
  return { ...(props.crop && { crop: null }), ...(sources.length > 0 && { sources }) };
}
