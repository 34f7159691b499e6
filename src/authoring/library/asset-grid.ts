import { createElement } from '../crop-editor/create-element.ts';
import type { ListedAsset } from '../toolbar/protocol.ts';
import { describeSize, kindNames } from './describe.ts';
import type { Session } from './session.ts';

function badgesOf({ kind, rights, why = '', hasAlt }: ListedAsset): string[] {
  const texts: Partial<Record<NonNullable<ListedAsset['rights']>, string>> = {
    forbidden: why.replace(/^f/, 'F') || 'Forbidden',
    ending: why.replace(/^a/, 'A'),
    unknown: 'Rights not known',
  };
  const lacksAlt = kind === 'image' && hasAlt === false;
  return [(rights && texts[rights]) ?? '', lacksAlt ? 'No alt text' : ''].filter(Boolean);
}

/** In CSS pixels, with the gap to the next row. */
const rowHeight = 164;

/** A list of assets, which grows at its end. Browsers don't lay out its cells that are out of view. */
export function createAssetGrid(options: {
  session: Session;
  onOpen(asset: ListedAsset): void;
  onChoose(chosen: readonly ListedAsset[]): void;
  /** Hears which asset is dragged, and when that ends. */
  onDrag: ((asset: ListedAsset | undefined) => void) | undefined;
  onNearEnd(): void;
  onMove(): void;
}) {
  const { onDrag } = options;
  const list = createElement('div', { role: 'listbox', 'aria-label': 'Assets', class: 'assets' });
  const element = createElement('div', { class: 'scroller' }, list);
  let cells: HTMLElement[] = [];
  let active: HTMLElement | undefined;
  const made = new Map<number, { cell: HTMLElement; text: string }>();
  /** By ID, while several can be chosen. */
  let chosen: Map<number, ListedAsset> | undefined;
  let top = 0;
  list.hidden = true;

  function askForMore(): void {
    const { scrollTop, clientHeight, scrollHeight } = element;
    const end = scrollTop + clientHeight + rowHeight;
    if (clientHeight > 0 && end >= scrollHeight) options.onNearEnd();
  }

  function cellOf(asset: ListedAsset): HTMLElement {
    const text = JSON.stringify(asset);
    const before = made.get(asset.id);
    if (before?.text === text) return before.cell;
    const cell = createCell(asset);
    made.set(asset.id, { cell, text });
    if (active === before?.cell) active = cell;
    return cell;
  }

  function createCell(asset: ListedAsset): HTMLElement {
    const { id, name, kind, size } = asset;
    const image = options.session.thumbnail(id, '', kind);
    const facts = [id, kind === 'image' ? '' : kindNames[kind], describeSize(size)];
    const badges = badgesOf(asset).map((title) =>
      createElement('span', { class: 'problem', title }, title),
    );
    const cell = createElement(
      'div',
      { role: 'option', class: 'asset', tabindex: '-1', draggable: String(onDrag !== undefined) },
      createElement('span', { class: 'thumbnail' }, image),
      createElement('span', { class: 'name', title: name }, name),
      createElement('span', { class: 'quiet' }, facts.filter(Boolean).join(' · ')),
      createElement('span', { class: 'badges' }, ...badges),
    );
    cell.dataset.id = String(id);
    cell.addEventListener('click', () => {
      activate(cell);
      if (!chosen) return options.onOpen(asset);
      if (!chosen.delete(id)) chosen.set(id, asset);
      mark(cell);
      options.onChoose([...chosen.values()]);
    });
    cell.addEventListener('focus', () => activate(cell));
    cell.addEventListener('dragstart', (event) => {
      event.dataTransfer?.setData('text/plain', String(id));
      onDrag?.(asset);
    });
    cell.addEventListener('dragend', () => onDrag?.(undefined));
    return cell;
  }

  const mark = (cell: HTMLElement) => {
    const isSelected = chosen ? chosen.has(Number(cell.dataset.id)) : cell === active;
    cell.setAttribute('aria-selected', String(isSelected));
    cell.tabIndex = cell === active ? 0 : -1;
  };

  function activate(cell: HTMLElement | undefined): void {
    const before = active;
    active = cell;
    for (const one of [before, active]) if (one) mark(one);
    options.onMove();
  }

  list.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const columns = getComputedStyle(list).gridTemplateColumns.split(' ').length;
    const page = Math.max(1, Math.floor(element.clientHeight / rowHeight)) * columns;
    const at = active ? cells.indexOf(active) : 0;
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - columns < 0 ? at : at - columns,
      ArrowDown: at + columns,
      Home: 0,
      End: cells.length - 1,
      PageUp: at - page,
      PageDown: at + page,
    };
    const target = targets[event.key];
    if (target === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (target === undefined) active?.click();
    else cells[Math.min(cells.length - 1, Math.max(0, target))]?.focus();
  });
  element.addEventListener('scroll', () => {
    // Out of the page, it has none.
    if (element.clientHeight > 0) top = element.scrollTop;
    options.onMove();
    askForMore();
  });
  new ResizeObserver(askForMore).observe(element);

  return {
    element,
    /** Shows assets. Those that are shown already stay, with the focus. */
    show(assets: readonly ListedAsset[], isNew: boolean) {
      const root = element.getRootNode() as ShadowRoot | Document;
      const hadFocus = active !== undefined && root.activeElement === active;
      cells = assets.map(cellOf);
      const shown = new Set(cells);
      for (const cell of [...list.children]) if (!shown.has(cell as HTMLElement)) cell.remove();
      cells.forEach((cell, index) => {
        if (list.children[index] !== cell) list.insertBefore(cell, list.children[index] ?? null);
        mark(cell);
      });
      list.hidden = cells.length === 0;
      if (isNew) element.scrollTop = top = 0;
      if (isNew || !active || !shown.has(active)) activate(cells[0]);
      if (hadFocus && root.activeElement !== active) active?.focus({ preventScroll: true });
      askForMore();
    },
    choose(isSeveral: boolean) {
      chosen = isSeveral ? new Map() : undefined;
      list.ariaMultiSelectable = String(isSeveral);
      cells.forEach(mark);
      options.onChoose([]);
    },
    position: () => ({ top, active: Number(active?.dataset.id) }),
    restore(position = { top, active: Number.NaN }) {
      activate(made.get(position.active)?.cell ?? active);
      element.scrollTop = top = position.top;
    },
    focus: () => active?.focus({ preventScroll: true }),
  };
}
