import { createButton, createElement } from '../../../crop-editor/create-element.ts';
import type { AssetKind, ListedAsset } from '../../protocol.ts';
import { createFailure, kindNames } from '../describe.ts';
import type { Session } from '../session.ts';
import { createAssetGrid } from './asset-grid.ts';

const pageLength = 50;
const typingPause = 200;

export function createLibrary(options: {
  session: Session;
  announce(message: string): void;
  /** The language of the records' texts. */
  locale(): string;
  onOpen(asset: ListedAsset): void;
  onTakeFirst(asset: ListedAsset): void;
  /** @param folder the folders to choose from */
  onFile(file: File, folder: HTMLSelectElement): void;
}) {
  const { session, announce } = options;
  const search = createElement('input', { type: 'search', placeholder: 'Search' });
  search.setAttribute('aria-label', 'Search assets');
  const folder = createElement(
    'select',
    { 'aria-label': 'Folder' },
    createElement('option', { value: '' }, 'All folders'),
  );
  const kind = createElement(
    'select',
    { 'aria-label': 'Kind' },
    createElement('option', { value: '' }, 'All kinds'),
    ...Object.entries(kindNames).map(([value, name]) => createElement('option', { value }, name)),
  );
  const state = createElement('div', { class: 'state' });
  const grid = createAssetGrid({
    session,
    onOpen: options.onOpen,
    onNearEnd: () => {
      if (more && element.ariaBusy !== 'true') void read(assets);
    },
  });
  const chooser = createElement('input', { type: 'file', hidden: '' });
  const upload = createButton('Upload a file, or drop it here', () => chooser.click());
  const element = createElement(
    'div',
    { class: 'library' },
    createElement('div', { class: 'filters' }, search, folder, kind, upload, chooser),
    state,
    grid.element,
  );

  let assets: readonly ListedAsset[] = [];
  let more = false;
  let control = new AbortController();
  /** The query that `loaded` belongs to. */
  let query = '';
  let loaded: Promise<void> | undefined;
  let folders: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const filters = () => ({
    search: search.value.trim() || undefined,
    folder: folder.value === '' ? undefined : Number(folder.value),
    kind: (kind.value || undefined) as AssetKind | undefined,
    locale: options.locale(),
  });

  /** Loads what the filters ask for, unless it's there. */
  function load(): Promise<void> {
    clearTimeout(timer);
    const now = JSON.stringify(filters());
    if (now === query && loaded !== undefined) return loaded;
    query = now;
    // The service searches in all folders.
    folder.disabled = search.value.trim() !== '';
    control.abort();
    control = new AbortController();
    loaded = read([]);
    return loaded;
  }

  /** Adds the next page of assets. */
  async function read(before: readonly ListedAsset[]): Promise<void> {
    const { signal } = control;
    element.ariaBusy = 'true';
    if (assets.length === 0)
      state.replaceChildren(createElement('p', { class: 'quiet' }, 'Loading…'));
    const request = { ...filters(), offset: before.length, limit: pageLength };
    try {
      const answer = await session.assets(request, signal);
      if (signal.aborted) return;
      assets = [...before, ...answer.assets];
      more = answer.more;
      showState();
    } catch (error) {
      if (signal.aborted) return;
      assets = before;
      more = false;
      showFailure(error);
    }
    element.ariaBusy = null;
    if (before.length > 0) grid.add(assets.slice(before.length));
    else grid.show(assets);
  }

  function showState(): void {
    const { search: text, folder: id, kind: only } = filters();
    const count = `${assets.length}${more ? ' or more' : ''}`;
    const where = text && id !== undefined ? ' in all folders' : '';
    announce(`${count} result${assets.length === 1 && !more ? '' : 's'}${where}`);
    if (assets.length > 0) state.replaceChildren();
    else {
      const empty = text
        ? `No asset matches “${text}”.`
        : `There are no ${only ? `${kindNames[only].toLowerCase()} assets` : 'assets'} in ${id === undefined ? 'the library' : 'this folder'}.`;
      state.replaceChildren(createElement('p', { class: 'empty' }, empty));
    }
  }

  function showFailure(error: unknown): void {
    const notice = createFailure(error);
    const retry = createButton('Retry', () => {
      loaded = undefined;
      void load();
      search.focus();
    });
    notice.append(retry);
    state.replaceChildren(notice);
  }

  async function take(file: File | undefined): Promise<void> {
    if (!file?.size) return announce('Choose a file with content.');
    await folders;
    const target = folder.cloneNode(true) as HTMLSelectElement;
    target.options[0]?.remove();
    target.value = folder.value || (target.options[0]?.value ?? '');
    target.hidden = false;
    options.onFile(file, target);
  }

  async function loadFolders(): Promise<void> {
    try {
      const { folders } = await session.folders();
      for (const { id, name, depth } of folders) {
        const indent = '\u00a0\u00a0\u00a0'.repeat(depth);
        folder.append(createElement('option', { value: String(id) }, `${indent}${name}`));
      }
      folder.hidden = folders.length === 0;
    } catch {
      // The list of assets says what's wrong.
      folder.hidden = true;
    }
  }

  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void load(), typingPause);
  });
  search.addEventListener('keydown', async (event) => {
    if (event.key === 'ArrowDown' && assets.length > 0) {
      event.preventDefault();
      grid.focus();
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    await load();
    if (assets[0]) options.onTakeFirst(assets[0]);
  });
  chooser.addEventListener('change', () => {
    void take(chooser.files?.[0]);
    chooser.value = '';
  });
  for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'] as const)
    element.addEventListener(name, (event) => {
      event.preventDefault();
      element.classList.toggle('dropping', name === 'dragenter' || name === 'dragover');
      if (name === 'drop') void take(event.dataTransfer?.files[0]);
    });
  for (const select of [folder, kind]) select.addEventListener('change', () => void load());

  return {
    element,
    open() {
      if (loaded !== undefined) return;
      void load();
      folders ??= loadFolders();
    },
    /** Loads the assets again when it's opened. */
    renew() {
      loaded = undefined;
    },
    focusSearch: () => search.focus(),
    focusAssets: () => (assets.length > 0 ? grid.focus() : search.focus()),
  };
}
