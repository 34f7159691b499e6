import { createElement } from '../../../crop-editor/create-element.ts';
import type { ListedAsset } from '../../protocol.ts';
import { describeSize, kindNames } from '../describe.ts';
import type { Session } from '../session.ts';

const rightsTexts: Partial<Record<NonNullable<ListedAsset['rights']>, [string, string]>> = {
  forbidden: ['problem', 'Forbidden'],
  unknown: ['problem', 'Rights not known'],
};

/** In CSS pixels, with the gap to the next row. */
const rowHeight = 164;

/** A list of assets, which grows at its end. Browsers don't lay out its cells that are out of view. */
export function createAssetGrid(options: {
  session: Session;
  onOpen(asset: ListedAsset): void;
  onNearEnd(): void;
}) {
  const list = createElement('div', { role: 'listbox', 'aria-label': 'Assets', class: 'assets' });
  const element = createElement('div', { class: 'scroller' }, list);
  let cells: HTMLElement[] = [];
  let active = 0;
  list.hidden = true;

  function askForMore(): void {
    const { scrollTop, clientHeight, scrollHeight } = element;
    const end = scrollTop + clientHeight + rowHeight;
    if (clientHeight > 0 && end >= scrollHeight) options.onNearEnd();
  }

  function createCell(asset: ListedAsset, index: number): HTMLElement {
    const image = options.session.thumbnail(asset.kind === 'image' ? asset.id : undefined);
    const about = [asset.kind === 'image' ? '' : kindNames[asset.kind], describeSize(asset.size)];
    const facts = about.filter(Boolean).join(' · ') || `${asset.id}`;
    const [kind = 'quiet', text = facts] = rightsTexts[asset.rights ?? 'allowed'] ?? [];
    const cell = createElement(
      'div',
      { role: 'option', class: 'asset', tabindex: '-1', 'aria-selected': 'false' },
      createElement('span', { class: 'thumbnail' }, image),
      createElement('span', { class: 'name', title: asset.name }, asset.name),
      createElement('span', { class: kind }, text),
    );
    cell.addEventListener('click', () => {
      activate(index);
      options.onOpen(asset);
    });
    cell.addEventListener('focus', () => activate(index));
    return cell;
  }

  /** Tab reaches the active cell. */
  function activate(index: number): void {
    const before = cells[active];
    active = Math.min(cells.length - 1, Math.max(0, index));
    for (const cell of [before, cells[active]]) {
      if (cell === undefined) continue;
      cell.tabIndex = cell === cells[active] ? 0 : -1;
      cell.setAttribute('aria-selected', String(cell === cells[active]));
    }
  }

  function move(index: number): void {
    activate(index);
    cells[active]?.focus();
  }

  list.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const columns = getComputedStyle(list).gridTemplateColumns.split(' ').length;
    const page = Math.max(1, Math.floor(element.clientHeight / rowHeight)) * columns;
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: active - 1,
      ArrowRight: active + 1,
      ArrowUp: active - columns < 0 ? active : active - columns,
      ArrowDown: active + columns,
      Home: 0,
      End: cells.length - 1,
      PageUp: active - page,
      PageDown: active + page,
    };
    const target = targets[event.key];
    if (target === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (target === undefined) cells[active]?.click();
    else move(target);
  });
  element.addEventListener('scroll', askForMore, { passive: true });
  new ResizeObserver(askForMore).observe(element);

  return {
    element,
    /** Shows assets instead of those before. */
    show(assets: readonly ListedAsset[]) {
      cells = [];
      list.replaceChildren();
      element.scrollTop = 0;
      this.add(assets);
      activate(0);
    },
    add(assets: readonly ListedAsset[]) {
      const added = assets.map((asset, index) => createCell(asset, cells.length + index));
      cells.push(...added);
      list.append(...added);
      list.hidden = cells.length === 0;
      askForMore();
    },
    /** Focuses the asset that was focused last. */
    focus: () => move(active),
  };
}
