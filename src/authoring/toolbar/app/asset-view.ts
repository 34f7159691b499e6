import { sizeText } from '../../../assets/files/file-label.ts';
import { writeCrop } from '../../../assets/geometry/write-crop.ts';
import { createButton, createElement } from '../../crop-editor/create-element.ts';
import { sameRectangle, wholeImage } from '../../crop-editor/crop-geometry.ts';
import {
  applyChange,
  type GivenCut,
  type GivenCuts,
  partOf,
} from '../../crop-editor/crop-state.ts';
import {
  createFacts,
  createFailure,
  describeAltSource,
  describeSize,
  kindNames,
} from '../../library/describe.ts';
import { createPlacement } from '../../library/placement.ts';
import type { Session } from '../../library/session.ts';
import { escapeLabel, isCrop, writeAttribute, writeValue } from '../../source/edit/write-value.ts';
import type {
  AssetChange,
  AssetDetails,
  AssetKind,
  ListedAsset,
  NewImage,
  ShownAsset,
  Size,
  SourcePlace,
} from '../protocol.ts';
import { type AltSaving, createAltField } from './alt-field.ts';
import { createImagePreview, shownPart } from './image-preview.ts';
import { type ImageOnPage, sizeOnPage } from './page-images.ts';
import type { PlaceChooser } from './place-chooser.ts';

interface ViewOptions {
  readonly session: Session;
  announce(message: string): void;
}

/** An image of the page: what it is, where it comes from, and what an author can do with it. */
export function createImageView(
  options: ViewOptions & {
    image: ImageOnPage;
    places: PlaceChooser;
    alts: AltSaving;
    onCrop(place: SourcePlace): void;
    onReplace(place: SourcePlace, isPoster?: boolean): void;
    onSave(place: SourcePlace, change: AssetChange): void;
  },
): HTMLElement {
  const { places, announce } = options;
  const { shown } = options.image;
  const { id, name, kind, alt, locale, problems, record, mapped } = shown;
  async function atPlace(change: (place: SourcePlace) => void): Promise<void> {
    const place = await places.chosen();
    if (place) return change(place);
    if (!(await places.exists()))
      return announce('The page computes this asset. Copy another one from the library.');
    places.element.querySelector('input')?.focus();
    announce('Choose the place to change first.');
  }

  const details = options.session.asset({ id, locale });
  const signs = problems.map((problem) => createElement('li', {}, problem));
  return createElement(
    'div',
    { class: 'view' },
    createElement('h2', { tabindex: '-1' }, name ?? `Asset ${id}`),
    createImagePreview(options.session, shown),
    createElement(
      'div',
      { class: 'actions' },
      !kind && createButton('Crop', () => void atPlace(options.onCrop), 'primary'),
      mapped &&
        createButton('Show the same part', () =>
          atPlace((place) => options.onSave(place, { crop: mapped })),
        ),
      createButton('Replace', () => void atPlace(options.onReplace)),
      options.image.element.localName === 'video' &&
        createButton('Choose a poster', () => atPlace((place) => options.onReplace(place, true))),
    ),
    ...(kind
      ? []
      : [
          createElement('h3', {}, 'Alt text'),
          createAltField(options.image, { ...options.alts, placeOf: places.chosen }).element,
          createAlts(details),
        ]),
    signs.length > 0 && createElement('ul', { class: 'problems' }, ...signs),
    createElement('h3', {}, 'Source'),
    places.element,
    createFacts([
      ['ID', String(id)],
      ['Alt text', kind ? '' : alt || '(empty)'],
      ["Record's alt text", record?.alt === alt ? '' : (record?.alt ?? '')],
      ['Credit', record?.credit ?? ''],
      ['Rights', record?.rights ?? ''],
      ['Original', describeSize(shown.original)],
      ['Crop', describeSize(shownPart(shown))],
      ['On the page', describeSize(sizeOnPage(options.image)) || 'hidden'],
    ]),
    createUsages(details),
  );
}

/** An image of the page that an asset of the library replaces, and where the source has it. */
export interface Replaced {
  readonly image: ImageOnPage;
  readonly place: SourcePlace;
  /** Whether it's a video's poster that is replaced. */
  readonly isPoster?: boolean | undefined;
}

/** An asset of the library: what it is, where it's used, and how it gets into a page. */
export function createAssetView(
  options: ViewOptions & {
    asset: ListedAsset;
    locale: string;
    replaced: Replaced | undefined;
    onCrop(
      props: GivenCuts,
      onDrawn: (change: AssetChange, original: Size) => void | Promise<void>,
    ): void;
    onInsert(image: NewImage): void;
    onReplace(change: AssetChange): Promise<void>;
    onFailure(error: unknown): void;
  },
): { element: HTMLElement; crop(): Promise<void>; submit(): Promise<void>; focus(): void } {
  const { asset, locale, session, announce, replaced } = options;
  const { id, name, kind, size, bytes } = asset;
  const { isPoster = false, image: { shown, element: video } = {} } = replaced ?? {};
  const isImage = kind === 'image';
  const image = session.thumbnail(id, 'preview', kind);
  /** What isn't saved. */
  let drawn: GivenCut = {};
  const state = createElement('p', { class: 'quiet', role: 'status' });
  const details = session.asset({ id, locale: shown ? shown.locale : locale });
  const ofTemplate = shown && replaced?.place.isAltFixed && describeAltSource(shown);
  const fixed = isImage && !isPoster ? ofTemplate || undefined : '';
  const placement = createPlacement({ details, before: shown?.alt, fixed, typed: asset.alt });
  async function read(): Promise<NewImage | undefined> {
    const placed = await placement.read();
    const alt = placed?.isOfRecord || !isImage ? undefined : placed?.alt;
    return placed && { id, alt, link: isImage ? undefined : name.slice(0, 1000), ...drawn };
  }
  async function replace(shown: ShownAsset, alt: string | undefined, drawn: AssetChange) {
    // A source without a text takes the record's, also when that changes.
    const stays = fixed !== undefined || alt === shown.given;
    const change = { id, ...(stays ? {} : { alt: alt ?? null }) };
    await options.onReplace({ ...change, ...newCrops(shown, drawn) });
  }
  async function crop(): Promise<void> {
    if (!shown)
      return options.onCrop(drawn, (change) => {
        drawn = applyChange(drawn, change);
        state.textContent = describeDrawn(drawn);
      });
    const image = await read();
    if (!image) return;
    const props = isPoster ? posterProps(id, video as HTMLVideoElement) : withoutCrops(shown);
    options.onCrop(props, (drawn, original) => {
      if (!isPoster) return replace(shown, image.alt, drawn);
      // Its focus, which can draw the eye, stays with a poster that stays as it is.
      if (props.focus && Object.keys(drawn).length === 0) return options.onReplace({});
      const part = partOf(applyChange(props, drawn), original);
      const isWhole = part && sameRectangle(part, wholeImage(original));
      return options.onReplace({ poster: { id, crop: isWhole ? undefined : part } });
    });
  }
  async function submit(): Promise<void> {
    const image = await read();
    if (!image) return;
    if (isPoster) await options.onReplace({ poster: { id } }).catch(options.onFailure);
    else if (shown) await replace(shown, image.alt, {}).catch(options.onFailure);
    else options.onInsert(image);
  }
  const isCropped = replaced !== undefined && isImage;
  const verb = isPoster ? 'Use as poster' : 'Replace';
  const label = isCropped ? `Crop and ${verb.toLowerCase()}` : replaced ? verb : 'Insert';
  const primary = createElement('button', { type: 'submit', class: 'primary' }, label);
  const other = isCropped
    ? createButton(verb, () => void submit())
    : createButton('Crop', () => void crop());
  const element = createElement(
    'form',
    { class: 'view' },
    createElement('h2', { tabindex: '-1' }, replaced && !isPoster ? `Replace with ${name}` : name),
    image,
    createFacts([
      ['ID', shown && !isPoster ? `${shown.id} → ${id}` : String(id)],
      ['Kind', kindNames[kind]],
      ['Size', [describeSize(size), bytes && sizeText(bytes, 'en')].filter(Boolean).join(', ')],
    ]),
    createElement('div', { class: 'actions' }, primary, isImage && other),
    state,
    placement.element,
    createCopySnippets({ kind, read, announce }),
    createUsages(details),
  );
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    void (isCropped ? crop() : submit());
  });
  const focus = fixed === undefined ? placement.focus : () => primary.focus();
  return { element, crop, submit, focus };
}

/** A poster starts as it is, or whole, cut to its video's shape if that's known. */
function posterProps(id: number, video: HTMLVideoElement): GivenCuts {
  const { videoWidth, videoHeight, width, height, dataset } = video;
  const before: Partial<ShownAsset> = JSON.parse(dataset.mediaAssetPoster ?? '{}');
  const [across, down] = videoWidth > 0 ? [videoWidth, videoHeight] : [width, height];
  const crop = { unit: 'fraction', x: 0, y: 0, width: 1, height: 1 } as const;
  const shape = across && down ? { crop, aspect: `${across}/${down}` } : {};
  return { ...shape, ...(before.id === id && before.props) };
}

/** The props of an image without its crops and focus points, which are of another asset than the new one. */
function withoutCrops({ props }: ShownAsset): GivenCuts {
  const { crop: _, recordFocus: __, focus, sources, ...others } = props;
  const left = sources?.map(({ crop: _, ...source }) => source);
  return { ...others, focus: focus === 'attention' ? focus : undefined, sources: left };
}

/** What an author has drawn on a new asset. All other crops go, and the focus point. */
function newCrops({ props }: ShownAsset, drawn: AssetChange): AssetChange {
  const sources = (props.sources ?? []).flatMap(({ crop }, index) => {
    const own = drawn.sources?.find((one) => one.index === index);
    return own ?? (crop ? { index, crop: null } : []);
  });
  const crop = props.crop && { crop: null };
  const focus = typeof props.focus === 'object' && { focus: null };
  return { ...crop, ...focus, ...drawn, ...(sources.length > 0 && { sources }) };
}

function describeDrawn({ crop, aspect }: GivenCut): string {
  if (crop) return `Crop ${Math.round(crop.width)} × ${Math.round(crop.height)} px`;
  return aspect === undefined ? '' : `Shape ${aspect}`;
}

/** The record's alt texts by language, so that an author sees what other pages show. */
function createAlts(details: Promise<AssetDetails>): HTMLElement {
  const element = createElement('section', { hidden: '' });
  details.then(
    ({ alts = [] }) => {
      const items = alts.map(({ language, alt }) => {
        const none = alt === undefined ? 'not known' : 'no text';
        const text = createElement('span', alt ? { lang: language, dir: 'auto' } : {}, alt || none);
        return createElement('li', {}, `${language}: `, text);
      });
      element.hidden = items.length === 0;
      const title = createElement('h3', {}, "The record's alt texts");
      element.replaceChildren(title, createElement('ul', { class: 'alts' }, ...items));
    },
    // The list of usages says what's wrong.
    () => {},
  );
  return element;
}

function createUsages(details: Promise<AssetDetails>): HTMLElement {
  const element = createElement('section');
  details.then(
    ({ usages }) => {
      const items = (usages ?? []).map(({ page, pageName }) =>
        createElement('li', {}, pageName ? `${pageName} (${page})` : page),
      );
      const none = usages ? 'Used by no page until now.' : 'The service has no list of usages.';
      const list = items.length > 0 && createElement('ul', {}, ...items);
      const title = createElement('h3', {}, 'Used on');
      element.replaceChildren(title, list || createElement('p', { class: 'quiet' }, none));
    },
    (error) => element.replaceChildren(createFailure(error)),
  );
  return element;
}

function createCopySnippets(options: {
  /** `undefined` if the author has to decide something first. */
  read(): Promise<NewImage | undefined>;
  readonly kind: AssetKind;
  announce(message: string): void;
}): HTMLElement {
  const buttons = (['Astro', 'Markdown', 'Frontmatter'] as const).map((name) =>
    createButton(name, async () => {
      const image = await options.read();
      if (!image) return;
      const text = snippets(image, options.kind)[name];
      try {
        await navigator.clipboard.writeText(text);
        options.announce(`Copied for ${name}.`);
      } catch {
        options.announce(`The browser doesn't allow copying: ${text}`);
      }
    }),
  );
  for (const button of buttons) button.setAttribute('aria-label', `Copy for ${button.textContent}`);
  return createElement(
    'section',
    {},
    createElement('h3', {}, 'Copy'),
    createElement('div', { class: 'actions' }, ...buttons),
  );
}

function snippets({ id, link, alt, crop, aspect, focus }: NewImage, kind: AssetKind) {
  if (link !== undefined)
    return {
      Astro: `<${kind === 'video' ? 'MediaVideo' : 'MediaFile'} id={${id}} />`,
      Markdown: `[${escapeLabel(link)}](media:${id})`,
      Frontmatter: `file: ${id}`,
    };
  const cut = Object.entries({ crop, aspect, focus }).filter(([, value]) => value !== undefined);
  const props = alt === undefined ? cut : [...cut, ['alt', alt] as const];
  const attributes = props.map(([name, value]) => ` ${name}=${writeAttribute(value)}`);
  const yaml = { style: 'plain', syntax: 'yaml' } as const;
  const lines = props.map(([name, value]) => `\n  ${name}: ${writeValue(value, yaml)}`);
  const parameters = cut.map(
    ([name, value]) => `${name}=${isCrop(value) ? writeCrop(value, 'address') : value}`,
  );
  // Without a text, Markdown takes the record's.
  const query = [...parameters, ...(alt === '' ? ['decoration'] : [])].join('&');
  return {
    Astro: `<MediaAsset id={${id}}${attributes.join('')} />`,
    Markdown: `![${escapeLabel(alt ?? '')}](media:${id}${query && `?${query}`})`,
    Frontmatter: `hero:\n  id: ${id}${lines.join('')}`,
  };
}
