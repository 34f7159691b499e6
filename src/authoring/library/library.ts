import { createButton, createElement } from '../crop-editor/create-element.ts';
import type {
  AssetKind,
  AssetsAnswer,
  AssetsRequest,
  ListedAsset,
  Only,
} from '../toolbar/protocol.ts';
import { createAssetGrid } from './asset-grid.ts';
import { createFailure, createNotice, kindNames } from './describe.ts';
import type { Session } from './session.ts';

const pageLength = 50;
/** Of how many assets a filter asks for the records or usages, one by one. */
const mostAsked = 400;
/** In ms. */
const [typingPause, readingPause] = [200, 300];

const filterNames: Readonly<Record<Only, string>> = {
  allowed: 'Allowed',
  ending: 'Rights end soon',
  forbidden: 'Forbidden',
  unknown: 'Rights not known',
  'without-alt': 'Without alt text',
  unused: 'Used nowhere',
};

/** Where an author is in the library. The filters have the values of their fields. */
export interface LibraryPosition
  extends Readonly<Record<'search' | 'folder' | 'kind' | 'only' | 'sort', string>> {
  /** In CSS pixels. */
  readonly top: number;
  /** An asset's ID. */
  readonly active: number;
  readonly limit: number;
}

export function createLibrary(options: {
  session: Session;
  announce(message: string): void;
  locale(): string;
  onOpen(asset: ListedAsset): void;
  onTakeFirst(asset: ListedAsset): void;
  /** The only kind to show. Without it, an author can choose. */
  kind?: AssetKind;
  /** What the author has left, and what keeps it. */
  memory?: { kept: LibraryPosition | undefined; keep(position: LibraryPosition): void };
  /** What a page takes besides one asset. */
  page?: {
    onInsertList(assets: readonly ListedAsset[]): void;
    onDrag(asset: ListedAsset | undefined): void;
    /** @param folder the folders to choose from */
    onFiles(files: readonly File[], folder: HTMLSelectElement): void;
  };
}) {
  const { session, announce, page } = options;
  const kept = options.memory?.kept;
  const about = { placeholder: 'Search, or an ID', 'aria-label': 'Search assets' };
  const search = createElement('input', { type: 'search', ...about });
  search.value = kept?.search ?? '';
  const select = (label: string, first: string, names: readonly (readonly [string, string])[]) => {
    const all = [['', first] as const, ...names];
    const items = all.map(([value, name]) => createElement('option', { value }, name));
    return createElement('select', { 'aria-label': label }, ...items);
  };
  const folder = select('Folder', 'All folders', kept?.folder ? [[kept.folder, '…']] : []);
  const kind = select('Kind', 'All kinds', Object.entries(kindNames));
  const only = select('Filter', 'No filter', Object.entries(filterNames));
  const orders = { name: 'By name', newest: 'Newest (highest ID)' };
  const order = select('Sort', 'Last used first', Object.entries(orders));
  const selects = { folder, kind, only, sort: order };
  for (const name of Object.keys(selects) as (keyof typeof selects)[])
    selects[name].value = kept?.[name] ?? '';
  kind.value = options.kind ?? kind.value;
  kind.hidden = options.kind !== undefined;
  const state = createElement('div', { class: 'state' });
  const grid = createAssetGrid({
    session,
    onOpen: options.onOpen,
    onDrag: page?.onDrag,
    onMove: keep,
    onChoose(assets) {
      chosen = assets;
      insert.hidden = assets.length === 0;
      insert.textContent = `Insert ${assets.length} as a list`;
    },
    onNearEnd() {
      if (!answer || answer.total <= answer.assets.length || limit > answer.assets.length) return;
      limit = Math.ceil(limit * 1.5);
      again();
    },
  });
  const chooser = createElement('input', { type: 'file', hidden: '', multiple: '' });
  const upload = createButton('Upload files', () => chooser.click());
  upload.title = 'You can also drop them on the panel.';
  const several = createButton('Choose several', () => {
    const isSeveral = several.ariaPressed !== 'true';
    several.ariaPressed = String(isSeveral);
    grid.choose(isSeveral);
  });
  several.ariaPressed = 'false';
  const insert = createButton('', () => page?.onInsertList(chosen), 'primary');
  insert.hidden = true;
  const inputs: HTMLElement[] = [search, ...Object.values(selects)];
  if (page) inputs.push(upload, chooser, several, insert);
  const filters = createElement('div', { class: 'filters' }, ...inputs);
  const element = createElement('div', { class: 'library' }, filters, state, grid.element);

  let chosen: readonly ListedAsset[] = [];
  let control = new AbortController();
  /** The newest question, what's known of its answer, and when that was first. */
  let question: Pick<AssetsRequest, 'search' | 'folder' | 'kind' | 'only' | 'sort' | 'locale'> = {};
  let answer: AssetsAnswer | undefined;
  let loaded: Promise<void> | undefined;
  let limit = pageLength;
  let folders: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function keep(): void {
    const values = Object.entries(selects).map(([name, { value }]) => [name, value]);
    const position = { ...grid.position(), limit };
    if (answer)
      options.memory?.keep({ search: search.value, ...Object.fromEntries(values), ...position });
  }

  function load(): Promise<void> {
    clearTimeout(timer);
    const text = search.value.trim();
    const now: typeof question = {
      search: text || undefined,
      folder: folder.value === '' ? undefined : Number(folder.value),
      kind: (kind.value || undefined) as AssetKind | undefined,
      only: (only.value || undefined) as Only | undefined,
      sort: (order.value || undefined) as AssetsRequest['sort'],
      locale: options.locale(),
    };
    if (loaded !== undefined && JSON.stringify(now) === JSON.stringify(question)) return loaded;
    const isFirst = answer === undefined;
    question = now;
    answer = undefined;
    limit = (isFirst && kept?.limit) || pageLength;
    // The service searches in all folders.
    folder.disabled = text !== '';
    // What's shown is the answer to another question.
    grid.element.inert = true;
    announce('');
    const busy = text ? 'Searching…' : 'Loading…';
    state.replaceChildren(createElement('p', { class: 'quiet busy' }, busy));
    loaded = follow(false);
    if (isFirst && kept) void loaded.then(() => grid.restore(kept));
    return loaded;
  }

  const again = () => void follow(true);

  /** Shows answers until there's nothing more to come. Ends with the first one. */
  async function follow(isAgain: boolean): Promise<void> {
    control.abort();
    control = new AbortController();
    const { signal } = control;
    element.ariaBusy = 'true';
    try {
      const next = await session.assets({ ...question, limit, again: isAgain }, signal);
      if (signal.aborted) return;
      const isNew = answer === undefined;
      answer = next;
      element.ariaBusy = String(next.isReading);
      grid.element.inert = false;
      grid.show(next.assets, isNew);
      showState(next);
      if (element.isConnected && (isNew || !next.isReading)) announce(describeCount(next));
      const { isReading, undecided, total } = next;
      const goesOn = undecided > 0 && total < pageLength && limit < mostAsked;
      if (goesOn && !isReading) limit = mostAsked;
      if (goesOn || isReading) setTimeout(() => signal.aborted || again(), readingPause);
    } catch (error) {
      if (signal.aborted) return;
      element.ariaBusy = null;
      grid.element.inert = false;
      grid.show([], true);
      state.replaceChildren(withRetry(createFailure(error)));
    }
  }

  function describeCount({ total, isReading }: AssetsAnswer): string {
    const where = question.search && question.folder !== undefined ? ' in all folders' : '';
    const until = isReading ? ' until now' : '';
    return `${total} result${total === 1 ? '' : 's'}${where}${until}`;
  }

  function showState({ total, undecided, isReading, failure }: AssetsAnswer): void {
    const parts: HTMLElement[] = failure ? [withRetry(createNotice(failure, 'alert'))] : [];
    if (isReading) parts.push(createElement('p', { class: 'quiet busy' }, 'More are being read…'));
    else if (undecided > 0) {
      const count = `${undecided} ${total > 0 ? 'more ' : ''}asset${undecided === 1 ? '' : 's'}`;
      const text = `Whether the filter fits ${count} isn’t known.`;
      parts.push(createElement('p', { class: 'quiet' }, text));
    } else if (total === 0 && !failure) {
      const { search } = question;
      const text = search ? `No asset matches “${search}”.` : 'There are no assets here.';
      parts.push(createElement('p', { class: 'empty' }, text));
    }
    // An answer that says the same must not take the focus.
    const text = parts.map(({ textContent }) => textContent).join('');
    if (text === '' || state.textContent !== text) state.replaceChildren(...parts);
  }

  function withRetry(notice: HTMLElement): HTMLElement {
    const retry = () => {
      loaded = undefined;
      void load();
      search.focus();
    };
    notice.append(createButton('Retry', retry));
    return notice;
  }

  /** Hands whole files to the page, with the folders to choose from. */
  async function take(files: readonly File[]): Promise<void> {
    const whole = files.filter(({ size }) => size > 0);
    if (whole.length < files.length) announce('Empty files can’t be uploaded.');
    if (whole.length === 0) return;
    folders ??= loadFolders();
    await folders;
    const target = folder.cloneNode(true) as HTMLSelectElement;
    target.options[0]?.remove();
    target.value = folder.value || (target.options[0]?.value ?? '');
    target.hidden = target.disabled = false;
    page?.onFiles(whole, target);
  }

  async function loadFolders(): Promise<void> {
    try {
      const { folders, judges } = await session.folders();
      const chosen = folder.value;
      const items = folders.map(({ id, name, depth }) => {
        const indent = '\u00a0\u00a0\u00a0'.repeat(depth);
        return createElement('option', { value: String(id) }, `${indent}${name}`);
      });
      folder.replaceChildren(folder.options[0] as HTMLElement, ...items);
      folder.value = chosen;
      folder.hidden = folders.length === 0;
      const own: Record<string, boolean> = { 'without-alt': judges.alt, unused: judges.usages };
      for (const option of [...only.options].slice(1))
        if (!(own[option.value] ?? judges.rights)) option.remove();
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
    const first = answer?.assets[0];
    if (event.key === 'ArrowDown' && first) {
      event.preventDefault();
      grid.focus();
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    await load();
    if (answer?.assets[0]) options.onTakeFirst(answer.assets[0]);
  });
  chooser.addEventListener('change', () => {
    void take([...(chooser.files ?? [])]);
    chooser.value = '';
  });
  for (const one of Object.values(selects)) one.addEventListener('change', () => void load());

  return {
    element,
    open() {
      folders ??= loadFolders();
      if (loaded === undefined) return void load();
      // Out of the page, a list loses its position.
      grid.restore();
      if (answer) void follow(true);
    },
    /** Loads the assets again when it's opened. */
    renew() {
      loaded = undefined;
    },
    take,
    focusSearch: () => search.focus(),
    focusAssets: () => (answer?.assets.length ? grid.focus() : search.focus()),
  };
}
