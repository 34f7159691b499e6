import { createButton, createElement } from '../../../crop-editor/create-element.ts';
import type { ListedAsset, NewImage } from '../../protocol.ts';
import { createPlacement } from '../placement.ts';
import type { Session } from '../session.ts';

/** Asks for the texts of several images that are inserted as a list. */
export function createListView(options: {
  assets: readonly ListedAsset[];
  session: Session;
  locale: string;
  onInsert(images: readonly NewImage[]): void;
}): HTMLElement {
  const { assets, session, locale } = options;
  const rows = assets.map(({ id, name, alt }) => {
    const details = session.asset({ id, locale });
    const placement = createPlacement({ details, typed: alt });
    const legend = createElement('legend', {}, name);
    const image = session.thumbnail(id);
    const thumbnail = createElement('span', { class: 'thumbnail' }, image);
    const element = createElement(
      'fieldset',
      { class: 'listed' },
      legend,
      thumbnail,
      placement.element,
    );
    return { id, placement, element };
  });

  async function insert(): Promise<void> {
    const images: NewImage[] = [];
    for (const { id, placement } of rows) {
      const placed = await placement.read();
      if (!placed) return;
      images.push({ id, alt: placed.isOfRecord ? undefined : placed.alt });
    }
    options.onInsert(images);
  }

  return createElement(
    'div',
    { class: 'view' },
    createElement('h2', { tabindex: '-1' }, `A list of ${assets.length} images`),
    ...rows.map(({ element }) => element),
    createElement(
      'div',
      { class: 'actions' },
      createButton('Insert', () => void insert(), 'primary'),
    ),
  );
}
