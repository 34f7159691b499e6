import { createButton, createElement } from '../../../crop-editor/create-element.ts';
import type { AssetKind, AssetsAnswer, ListedAsset } from '../../protocol.ts';
import { createNotice, kindNames } from '../describe.ts';
import { noticeFrom, type Session } from '../session.ts';
import { createAssetGrid } from './asset-grid.ts';
import type { Thumbnails } from './thumbnails.ts';

const pageLength = 100;
const typingPause = 200;

export function createLibrary(options: {
  session: Session;
  thumbnails: Thumbnails;
  announce(message: string): void;
  onOpen(asset: ListedAsset): void;
  onTakeFirst(asset: ListedAsset): void;
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
    thumbnails: options.thumbnails,
    onOpen: options.onOpen,
    onNearEnd: () => void loadMore(),
  });
  const element = createElement(
    'div',
    { class: 'library' },
    createElement('div', { class: 'filters' }, search, folder, kind),
    state,
    grid.element,
  );

  let assets: readonly ListedAsset[] = [];
  let more = false;
  let control = new AbortController();
  /** The query that `loaded` belongs to. */
  let query = '';
  let loaded: Promise<void> | undefined;
  let loading = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const filters = () => ({
    search: search.value.trim() || undefined,
    folder: folder.value === '' ? undefined : Number(folder.value),
    kind: (kind.value || undefined) as AssetKind | undefined,
  });

  const request = (offset: number): Promise<AssetsAnswer> =>
    session.assets({ ...filters(), offset, limit: pageLength }, control.signal);

  /** Loads what the filters ask for, unless it's there. */
  function load(): Promise<void> {
    clearTimeout(timer);
    const now = JSON.stringify(filters());
    if (now === query && loaded !== undefined) return loaded;
    query = now;
    control.abort();
    control = new AbortController();
    loaded = loadFirst(control.signal);
    return loaded;
  }

  async function loadFirst(signal: AbortSignal): Promise<void> {
    loading = true;
    element.setAttribute('aria-busy', 'true');
    if (assets.length === 0)
      state.replaceChildren(createElement('p', { class: 'quiet' }, 'Loading…'));
    try {
      const answer = await request(0);
      if (signal.aborted) return;
      show(answer, []);
      grid.show(assets, more);
      const count = `${assets.length}${more ? ' or more' : ''}`;
      announce(assets.length === 1 && !more ? '1 result' : `${count} results`);
    } catch (error) {
      if (signal.aborted) return;
      assets = [];
      grid.show([], false);
      fail(error, () => {
        loaded = undefined;
        void load();
        search.focus();
      });
    } finally {
      if (!signal.aborted) {
        loading = false;
        element.removeAttribute('aria-busy');
      }
    }
  }

  async function loadMore(): Promise<void> {
    if (loading || !more) return;
    loading = true;
    const { signal } = control;
    try {
      const answer = await request(assets.length);
      if (signal.aborted) return;
      loading = false;
      show(answer, assets);
      grid.add(answer.assets, more);
    } catch (error) {
      if (signal.aborted) return;
      more = false;
      fail(error, () => {
        state.replaceChildren();
        more = true;
        loading = false;
        void loadMore();
        grid.focus();
      });
    }
  }

  function show(answer: AssetsAnswer, before: readonly ListedAsset[]): void {
    assets = [...before, ...answer.assets];
    more = answer.more;
    const notices = answer.notice ? [createNotice(answer.notice)] : [];
    const { search: text, folder: id, kind: only } = filters();
    if (assets.length > 0) state.replaceChildren(...notices);
    else {
      const empty = text
        ? `No asset matches “${text}”.`
        : `There are no ${only ? `${kindNames[only].toLowerCase()} assets` : 'assets'} in ${id === undefined ? 'the library' : 'this folder'}.`;
      state.replaceChildren(...notices, createElement('p', { class: 'empty' }, empty));
    }
  }

  function fail(error: unknown, retry: () => void): void {
    const notice = createNotice(noticeFrom(error), 'alert');
    notice.append(createButton('Retry', retry));
    state.replaceChildren(notice);
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
  for (const select of [folder, kind]) select.addEventListener('change', () => void load());

  return {
    element,
    open() {
      if (loaded !== undefined) return;
      void load();
      void loadFolders();
    },
    focusSearch: () => search.focus(),
    focusAssets: () => (assets.length > 0 ? grid.focus() : search.focus()),
  };
}
