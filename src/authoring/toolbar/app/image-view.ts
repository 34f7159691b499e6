import { createButton, createElement } from '../../crop-editor/create-element.ts';
import { applyChange, describeDrawn, type GivenCut } from '../../crop-editor/crop-change.ts';
import type { AssetChange, SourcePlace } from '../protocol.ts';
import { createCopySnippets } from './copy-snippets.ts';
import { createFacts, describeSize } from './describe.ts';
import { createUsages } from './library/asset-usages.ts';
import type { Thumbnails } from './library/thumbnails.ts';
import type { PageImage } from './page-images.ts';
import type { PlaceChooser } from './place-chooser.ts';
import type { Session } from './session.ts';

/** An image of the page: what it is, where it comes from, and what an author can do with it. */
export function createImageView(options: {
  image: PageImage;
  places: PlaceChooser;
  session: Session;
  thumbnails: Thumbnails;
  announce(message: string): void;
  /** Opens the crop editor. Without a place, `onDrawn` gets what changed. */
  onCrop(place: SourcePlace | undefined, onDrawn: (change: AssetChange) => void): void;
  onReplace(place: SourcePlace): void;
}): HTMLElement {
  const { shown } = options.image;
  const { id, name, alt, props, problems, record } = shown;
  let drawn: GivenCut = { crop: props.crop, aspect: props.aspect, focus: props.focus };
  const image = createElement('img', { alt: '', class: 'preview' });
  if (shown.layout) options.thumbnails.watch(image, id);
  const state = createElement('p', { class: 'quiet', role: 'status' }, describeDrawn(drawn));

  async function crop(): Promise<void> {
    const place = await options.places.chosen();
    if (place === undefined && (await options.places.exists())) return askForPlace();
    options.onCrop(place, (change) => {
      drawn = applyChange(drawn, change);
      state.textContent = `${describeDrawn(drawn)} Copy it into the source.`;
    });
  }
  async function replace(): Promise<void> {
    const place = await options.places.chosen();
    if (place) return options.onReplace(place);
    if (await options.places.exists()) return askForPlace();
    options.announce('The page computes this asset. Copy another one from the library.');
  }
  function askForPlace(): void {
    options.places.element.querySelector('input')?.focus();
    options.announce('Choose the place to change first.');
  }

  return createElement(
    'div',
    { class: 'view' },
    createElement('h2', { tabindex: '-1' }, name ?? `Image ${id}`),
    image,
    createElement(
      'div',
      { class: 'actions' },
      createButton('Crop', () => void crop(), 'primary'),
      createButton('Replace', () => void replace()),
    ),
    state,
    ...(problems.length === 0
      ? []
      : [
          createElement(
            'ul',
            { class: 'problems' },
            ...problems.map(({ message }) => createElement('li', {}, message)),
          ),
        ]),
    createElement('h3', {}, 'Source'),
    options.places.element,
    createFacts([
      ['ID', String(id)],
      ['Alt text', alt === '' ? '(empty)' : alt],
      ["Record's alt text", record?.alt === alt ? '' : (record?.alt ?? '')],
      ['Credit', record?.credit ?? ''],
      ['Rights', record?.rights ?? ''],
      ['Original', describeSize(shown.original)],
      ['On the page', describeSize(shown.layout)],
    ]),
    createCopySnippets({ asset: () => ({ id, alt, ...drawn }), announce: options.announce }),
    createUsages(options.session.asset(id)),
  );
}
