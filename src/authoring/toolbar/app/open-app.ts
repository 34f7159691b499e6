import type { DevToolbarApp } from 'astro';
import { adoptStyles } from '../../crop-editor/adopt-styles.ts';
import { createButton, createElement } from '../../crop-editor/create-element.ts';
import { type CropEditorOptions, openCropEditor } from '../../crop-editor/crop-editor.ts';
import type { GivenCuts } from '../../crop-editor/crop-state.ts';
import { describePlace } from '../../library/describe.ts';
import { createLibrary } from '../../library/library.ts';
import { libraryStyles } from '../../library/library-styles.ts';
import { createSession } from '../../library/session.ts';
import type {
  AssetChange,
  ListedAsset,
  NewImage,
  SavedPlace,
  ShownAsset,
  Size,
  SourcePlace,
} from '../protocol.ts';
import { createAssetView, createImageView, type Replaced } from './asset-view.ts';
import { createOutlines, type FreePlace, outlineGaps, outlineImage } from './outlines.ts';
import {
  createPageList,
  findPageImages,
  type ImageOnPage,
  sizeOnPage,
  watchPageImages,
} from './page-images.ts';
import { createPanel } from './panel.ts';
import { createPlaceChooser } from './place-chooser.ts';
import { createSavesView } from './saves-view.ts';
import { appStyles } from './styles.ts';
import { type Done, type Drawing, readMemory, remember } from './tab-memory.ts';
import { acceptFiles } from './upload/accept-files.ts';
import { createUploadView } from './upload/upload-view.ts';

export type ToolbarApp = ReturnType<typeof openApp>;

type Server = Pick<Parameters<NonNullable<DevToolbarApp['init']>>[2], 'on'>;

/** How long a saved page may take to reload, in milliseconds. */
const longestReload = 10_000;

/** Puts the app into its canvas, closed. `close` closes it from inside. */
export function openApp(canvas: ShadowRoot, { server, close }: { server: Server; close(): void }) {
  // Vite sets the site's base.
  const { BASE_URL } = (import.meta as ImportMeta & { env: { BASE_URL: string } }).env;
  const session = createSession(BASE_URL);
  let images: ImageOnPage[] = [];
  let selected: string | undefined;
  let replaced: Replaced | undefined;
  let closeEditor: (() => void) | undefined;
  let stopWatching: (() => void) | undefined;
  let frame = 0;

  function leave(): void {
    close();
    const bar = document.querySelector('astro-dev-toolbar')?.shadowRoot;
    bar?.querySelector<HTMLElement>('[data-app-id="astro-media-asset"]')?.focus();
  }

  const panel = createPanel({
    onClose: leave,
    onPage: backToList,
    onLibrary() {
      replaced = undefined;
      searchLibrary();
    },
  });
  const { announce } = panel;
  const shared = { session, announce };
  const outlines = createOutlines();
  const alts = {
    placeOf: (shown: ShownAsset) => createPlaceChooser(session, shown).chosen(),
    save,
  };
  const pageList = createPageList({
    ...{ session, alts },
    onSelect: (key) => select(key),
    onSaves: () => void showSaves(),
  });
  const onOpen = (asset: ListedAsset) => void openAsset(asset);
  const library = createLibrary({
    ...{ ...shared, locale, onOpen },
    onTakeFirst(asset) {
      const view = openAsset(asset);
      if (!replaced && asset.kind === 'image') void view.crop();
    },
    memory: { kept: readMemory().library, keep: (library) => remember({ library }) },
    page: { onInsertList: insertList, onDrag: offer, onFiles: openUpload },
  });
  const posters = createLibrary({ ...shared, locale, kind: 'image', onOpen, onTakeFirst: onOpen });
  const libraryNow = () => (replaced?.isPoster ? posters : library);
  acceptFiles(panel.element, { announce, onFiles: (files) => void library.take(files) });
  const rootAttributes = { lang: 'en', dir: 'ltr', class: 'media-assets', hidden: '' };
  const root = createElement('div', rootAttributes, outlines.element, panel.element);
  // The editor has styles of its own, which must not meet the panel's.
  const editorHost = document.createElement('div');
  adoptStyles(canvas, libraryStyles + appStyles);
  canvas.append(root, editorHost);

  function locale(): string {
    const [found] = images.flatMap(({ shown }) => shown.locale ?? []);
    return found ?? document.documentElement.lang;
  }

  function refresh(): void {
    if (!root.isConnected) canvas.append(root, editorHost);
    const before = images;
    images = findPageImages();
    const isSame = (one: ImageOnPage | undefined, other: ImageOnPage | undefined) =>
      one?.key === other?.key && JSON.stringify(one?.shown) === JSON.stringify(other?.shown);
    const stays = ({ element }: ImageOnPage, at: number) =>
      element === before[at]?.element && isSame(images[at], before[at]);
    if (images.length === before.length && images.every(stays)) return;
    if (panel.view() !== 'gaps') outlineImages();
    pageList.show(images);
    const image = find(selected, images);
    if (panel.view() === 'image' && !isSame(image, find(selected, before))) {
      if (image) showImage(image);
      else backToList();
    }
  }

  function outlineImages(): void {
    const buttons = images.map((image) => outlineImage(image, select));
    outlines.show('Images on this page', buttons);
  }

  const show: typeof panel.show = (element, next) => {
    if (panel.view() === 'gaps' && next.view !== 'gaps') outlineImages();
    panel.show(element, next);
  };

  function backToList(): void {
    const before = selected;
    replaced = undefined;
    choose(undefined);
    show(pageList.element, { view: 'list' });
    pageList.focus(before);
  }

  function choose(key: string | undefined): void {
    selected = key;
    remember({ selected: key });
    outlines.select(key);
  }

  function select(key: string): void {
    const image = find(key, images);
    if (!image) return;
    choose(key);
    showImage(image);
    image.element.scrollIntoView({ block: 'nearest' });
    panel.focusView();
  }

  function showImage(image: ImageOnPage): void {
    const places = createPlaceChooser(session, image.shown);
    const view = createImageView({
      ...{ ...shared, image, places, alts },
      onCrop: (place) => void cropImage(image, place),
      onSave: (place, change) => void save(place, change).catch(panel.fail),
      onReplace(place, isPoster) {
        if (isPoster && !place.isVideo)
          return announce('Only a <MediaVideo> tag with its ID gets a poster here.');
        replaced = { image, place, isPoster };
        searchLibrary();
      },
    });
    show(view, { view: 'image', back: backToList });
  }

  function showLibrary(focus: () => void): void {
    const image = replaced?.image;
    const back = image && (() => select(image.key));
    const verb = replaced?.isPoster ? 'Poster of' : 'Replace';
    const title = image && `${verb} ${image.shown.name ?? image.shown.id}`;
    show(libraryNow().element, { view: 'library', back, title });
    libraryNow().open();
    focus();
  }

  const searchLibrary = () => showLibrary(libraryNow().focusSearch);
  const backToLibrary = () => showLibrary(libraryNow().focusAssets);

  function openUpload(files: readonly File[], folder: HTMLSelectElement): void {
    const hasPlace = !replaced && outlineGaps(() => {}).length > 0;
    const view = createUploadView({
      ...{ files, folder, session, locale: locale(), hasPlace },
      onProgress: (take) => server.on('astro-media-asset:progress', take),
      onEnd(answers, isInserted) {
        library.renew();
        const [first] = answers;
        if (files.length > 1 || !first)
          return announce(`${answers.length} of ${files.length} files are in the library.`);
        const { asset, isSame } = first;
        // The author may be elsewhere by now.
        const opened = view.element.isConnected ? openAsset(asset) : undefined;
        const end = isSame ? ' already. Nothing was uploaded.' : '.';
        announce(`${asset.name} is asset ${asset.id}${end}`);
        if (isInserted && !isSame) void opened?.submit();
      },
    });
    show(view.element, { view: 'upload', back: backToLibrary });
    view.focus();
  }

  /** Inserts images with the texts of their records, and links. The page's list names those without one. */
  function insertList(assets: readonly ListedAsset[]): void {
    const forbidden = assets.find(({ rights }) => rights === 'forbidden');
    if (forbidden)
      return void announce(
        `The site may not show ${forbidden.name}. Insert it by itself, if at all.`,
      );
    const linked = assets.map(({ id, kind, name }) =>
      kind === 'image' ? { id } : { id, link: name.slice(0, 1000) },
    );
    chooseGap(linked, backToLibrary);
  }

  /** Shows where an asset can be dropped that's dragged from the library. */
  function offer(asset: ListedAsset | undefined): void {
    if (!asset) return void outlineImages();
    const gaps = outlineGaps((gap) => void openAsset(asset, gap).submit());
    const targets = images
      .filter(isLike(asset))
      .map((image) => outlineImage(image, () => void replaceWith(asset, image)));
    outlines.show('Places on this page', [...targets, ...gaps]);
  }

  async function replaceWith(asset: ListedAsset, image: ImageOnPage): Promise<void> {
    const place = await alts.placeOf(image.shown);
    select(image.key);
    if (!place) return void announce('Choose what to change, then replace it.');
    replaced = { image, place };
    openAsset(asset);
  }

  function openAsset(asset: ListedAsset, gap?: FreePlace): ReturnType<typeof createAssetView> {
    const isFit = replaced?.isPoster ? () => asset.kind === 'image' : isLike(asset);
    const over = !gap && replaced && isFit(replaced.image) ? replaced : undefined;
    const view = createAssetView({
      ...{ ...shared, asset, locale: locale(), replaced: over, onFailure: panel.fail },
      onCrop: (props, onSave) =>
        crop(asset, {
          ...{ props, layout: over && layoutOf(over.image), onSave },
          saveLabel: over ? 'Save' : 'Use this crop',
        }),
      onInsert: (image) =>
        gap
          ? void insert(gap, [image])
          : chooseGap([image], () => {
              showAsset();
              panel.focusButton('Insert');
            }),
      async onReplace(change) {
        if (!over) return;
        await save(over.place, change);
        replaced = undefined;
        select(over.image.key);
      },
    });
    const showAsset = () => show(view.element, { view: 'asset', back: backToLibrary });
    showAsset();
    if (over) view.focus();
    else panel.focusView();
    return view;
  }

  function chooseGap(images: readonly NewImage[], back: () => void): void {
    let isSaving = false;
    const gaps = outlineGaps(async (gap) => {
      if (isSaving) return;
      isSaving = true;
      await insert(gap, images);
      isSaving = false;
    });
    const [first] = gaps;
    if (!first) return void announce('This page has no Markdown. Copy the code into its source.');
    outlines.show('Places on this page', gaps);
    const hint = 'Choose a place on the page. There, it becomes a block of its own, and is saved.';
    const view = createElement('p', { class: 'view gaps' }, hint);
    show(view, { view: 'gaps', back, title: 'Insert' });
    (gaps.find(({ box }) => box().y >= 0) ?? first).button.focus();
  }

  /** What survives a reload of a crop that isn't saved. */
  function keptOf({ draftKey, shown }: ImageOnPage): Pick<CropEditorOptions, 'kept' | 'onDraw'> {
    const before = JSON.stringify(shown.props);
    const { drawing } = readMemory();
    const isSame = drawing?.before === before;
    const notice = isSame ? 'Not saved yet.' : 'Not saved yet. The source has changed since.';
    return {
      kept: drawing?.draftKey === draftKey ? { states: drawing.states, notice } : undefined,
      onDraw: (states) => remember({ drawing: { draftKey, before, states } }),
    };
  }

  /** Opens the crop editor where the author was before the page has reloaded. */
  async function drawOn({ draftKey }: Drawing): Promise<void> {
    const image = images.find((one) => one.draftKey === draftKey);
    const place = image && (await alts.placeOf(image.shown));
    if (!image || !place) {
      remember({ drawing: undefined });
      return announce('A crop wasn’t saved: its image isn’t where it was.');
    }
    select(image.key);
    await cropImage(image, place);
  }

  const cropImage = (image: ImageOnPage, place: SourcePlace) =>
    crop(image.shown, {
      ...{ props: image.shown.props, layout: layoutOf(image), saveLabel: 'Save' },
      ...keptOf(image),
      onSave: (change) => save(place, change),
    });

  async function crop(
    asset: Pick<ShownAsset, 'id' | 'original'>,
    options: Pick<CropEditorOptions, 'layout' | 'saveLabel' | 'kept' | 'onDraw'> & {
      readonly props: GivenCuts;
      onSave(change: AssetChange, original: Size): void | Promise<void>;
    },
  ): Promise<void> {
    const end = () => {
      remember({ drawing: undefined });
      closeEditor?.();
      panel.focusButton('Crop');
    };
    try {
      const { presets } = await session.start();
      const shown = await session.original(asset);
      const { props, ...others } = options;
      const editor = openCropEditor(editorHost, {
        ...{ ...props, ...others, ...shown, presets },
        onSave: async (change) => {
          const { drawing } = readMemory();
          // What is being saved isn't offered again: the page can reload before the answer is here.
          remember({ drawing: undefined });
          try {
            await options.onSave(change, shown.original);
          } catch (error) {
            remember({ drawing });
            throw error;
          }
          end();
        },
        onCancel: end,
      });
      closeEditor = () => {
        closeEditor = undefined;
        editor.close();
        URL.revokeObjectURL(shown.image);
      };
    } catch (error) {
      panel.fail(error);
    }
  }

  async function save(place: SourcePlace, change: AssetChange): Promise<void> {
    if (Object.keys(change).length === 0) return announce('Nothing has changed.');
    // For the next save, if the page doesn't reload.
    await run({ ...place, save: 0 }, async () => {
      const answer = await session.save({ place, change });
      Object.assign(place, answer.place);
      return answer.saved;
    });
  }

  async function showSaves(): Promise<void> {
    try {
      const { saves } = await session.saves();
      const undone = (save: SavedPlace) => undo(save).then(showSaves);
      show(
        createSavesView(saves, (save) => void undone(save)),
        { view: 'saves', back: backToList },
      );
      panel.focusView();
    } catch (error) {
      panel.fail(error);
    }
  }

  async function insert(gap: FreePlace, images: readonly NewImage[]): Promise<void> {
    const inserted = run({ ...gap.block, save: 0 }, async () => {
      const place = await session.insert({ ...gap, images: [...images] });
      backToList();
      // The list says which ones of several have no text.
      if (images.length === 1) remember({ selected: `${describePlace(place)}/0` });
      return place;
    });
    await inserted.catch(panel.fail);
  }

  /** Sends what the page reloads after, perhaps before the answer is here. */
  async function run(planned: Done, send: () => Promise<object>): Promise<void> {
    remember({ done: planned });
    try {
      say({ ...planned, ...(await send()) });
    } catch (error) {
      remember({ done: undefined });
      throw error;
    }
  }

  /** Says what was saved or undone, also after the page has reloaded. */
  function say(done: Done): void {
    const name = describePlace(done);
    // Without a number, the page has reloaded before the answer: the list of saves has it.
    const takeBack = done.save
      ? createButton('Undo', () => void undo(done))
      : createButton('Last saves', () => void showSaves());
    if (done.isUndone) announce(`Undone in ${name}`);
    else announce(`Saved to ${name}`, takeBack);
    remember({ done });
    setTimeout(() => remember({ done: undefined }), longestReload);
  }

  async function undo(saved: SavedPlace): Promise<void> {
    announce('');
    const undone = { ...saved, isUndone: true };
    await run(undone, () => session.undo(saved)).catch(panel.fail);
  }

  function toggle(isOpen: boolean): void {
    root.hidden = !isOpen;
    if (!isOpen) {
      remember({ isInLibrary: false });
      closeEditor?.();
      outlines.stop();
      stopWatching?.();
      return;
    }
    stopWatching = watchPageImages(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(refresh);
    });
    refresh();
    outlines.start();
    const { selected: key, done, typing, drawing, isInLibrary } = readMemory();
    if (isInLibrary) searchLibrary();
    else if (find(key, images)) select(key as string);
    else backToList();
    pageList.focusField(typing);
    if (done) say(done);
    if (drawing) void drawOn(drawing);
    session.start().catch(panel.fail);
  }

  root.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (!panel.goBack()) leave();
  });
  // Astro's toolbar closes the app at Escape.
  root.addEventListener('keyup', (event) => event.stopPropagation());
  pageList.show(images);
  return { toggle };
}

function layoutOf(image: ImageOnPage): CropEditorOptions['layout'] {
  const { layout } = image.shown;
  return layout && { ...layout, ...sizeOnPage(image) };
}

/** Whether an image or file of the page can be replaced with an asset. */
const isLike =
  ({ kind }: ListedAsset) =>
  ({ shown }: ImageOnPage) =>
    (shown.kind ?? 'image') === kind;

function find(key: string | undefined, images: readonly ImageOnPage[]): ImageOnPage | undefined {
  return images.find((image) => image.key === key);
}
