import { createElement } from '../../../crop-editor/create-element.ts';
import type { ListedAsset } from '../../protocol.ts';
import { describeSize, kindNames } from '../describe.ts';
import type { Thumbnails } from './thumbnails.ts';

const rowHeight = 164;
const leastWidth = 112;

/** A list of assets of any length. Only the rows in view are in the document. */
export function createAssetGrid(options: {
  thumbnails: Thumbnails;
  onOpen(asset: ListedAsset): void;
  onNearEnd(): void;
}) {
  const { thumbnails } = options;
  const list = createElement('div', { role: 'listbox', 'aria-label': 'Assets', class: 'assets' });
  const element = createElement('div', { class: 'scroller' }, list);
  const cells = new Map<number, HTMLElement>();
  let assets: readonly ListedAsset[] = [];
  let more = false;
  let active = 0;
  let columns = 1;

  function layOut(): void {
    list.hidden = assets.length === 0;
    columns = Math.max(1, Math.floor(list.clientWidth / leastWidth));
    list.style.height = `${Math.ceil(assets.length / columns) * rowHeight}px`;
    render();
  }

  function render(): void {
    const { scrollTop, clientHeight } = element;
    const first = Math.max(0, (Math.floor(scrollTop / rowHeight) - 1) * columns);
    const end = (Math.ceil((scrollTop + clientHeight) / rowHeight) + 1) * columns;
    const last = Math.min(assets.length, end);
    for (const [index, cell] of cells)
      if ((index < first || index >= last) && index !== active) remove(index, cell);
    for (let index = first; index < last; index++) place(index);
    if (active < assets.length) place(active);
    if (more && clientHeight > 0 && end >= assets.length) options.onNearEnd();
  }

  function remove(index: number, cell: HTMLElement): void {
    thumbnails.unwatch(cell.querySelector('img') as HTMLImageElement);
    cell.remove();
    cells.delete(index);
  }

  function place(index: number): void {
    const cell = cells.get(index) ?? create(index);
    cell.style.top = `${Math.floor(index / columns) * rowHeight}px`;
    cell.style.left = `${((index % columns) * 100) / columns}%`;
    cell.style.width = `${100 / columns}%`;
    cell.tabIndex = index === active ? 0 : -1;
    cell.setAttribute('aria-selected', String(index === active));
    cell.setAttribute('aria-posinset', String(index + 1));
    cell.setAttribute('aria-setsize', more ? '-1' : String(assets.length));
  }

  function create(index: number): HTMLElement {
    const asset = assets[index] as ListedAsset;
    const image = createElement('img', { alt: '' });
    const about = [asset.kind === 'image' ? '' : kindNames[asset.kind], describeSize(asset.size)];
    const cell = createElement(
      'div',
      { role: 'option', class: 'asset' },
      createElement('span', { class: 'thumbnail' }, image),
      createElement('span', { class: 'name', title: asset.name }, asset.name),
      createElement('span', { class: 'quiet' }, about.filter(Boolean).join(' · ') || `${asset.id}`),
    );
    cell.addEventListener('click', () => open(index));
    cell.addEventListener('focus', () => activate(index));
    // Screen readers read options in the order of the document.
    const after = Math.min(...[...cells.keys()].filter((one) => one > index));
    list.insertBefore(cell, cells.get(after) ?? null);
    cells.set(index, cell);
    if (asset.kind === 'image') thumbnails.watch(image, asset.id);
    return cell;
  }

  function activate(index: number): void {
    const before = active;
    active = index;
    for (const one of [before, index]) if (cells.has(one)) place(one);
  }

  function open(index: number): void {
    activate(index);
    options.onOpen(assets[index] as ListedAsset);
  }

  function move(index: number): void {
    activate(Math.min(assets.length - 1, Math.max(0, index)));
    const top = Math.floor(active / columns) * rowHeight;
    const { scrollTop, clientHeight } = element;
    if (top < scrollTop) element.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight)
      element.scrollTop = top + rowHeight - clientHeight;
    render();
    cells.get(active)?.focus({ preventScroll: true });
  }

  list.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(element.clientHeight / rowHeight)) * columns;
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: active - 1,
      ArrowRight: active + 1,
      ArrowUp: active - columns < 0 ? active : active - columns,
      ArrowDown: active + columns,
      Home: 0,
      End: assets.length - 1,
      PageUp: active - page,
      PageDown: active + page,
    };
    const target = targets[event.key];
    if (target === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (target === undefined) open(active);
    else move(target);
  });
  element.addEventListener('scroll', render, { passive: true });
  new ResizeObserver(layOut).observe(element);

  return {
    element,
    show(given: readonly ListedAsset[], isMore: boolean) {
      const isLonger = assets.length > 0 && assets.every((one, index) => one === given[index]);
      if (!isLonger) for (const [index, cell] of cells) remove(index, cell);
      assets = given;
      more = isMore;
      active = Math.min(active, Math.max(0, assets.length - 1));
      layOut();
    },
    reset() {
      active = 0;
      element.scrollTop = 0;
    },
    /** Focuses the asset that was focused last. */
    focus: () => move(active),
  };
}
