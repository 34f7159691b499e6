import { createButton, createElement } from '../../crop-editor/create-element.ts';
import type { Notice } from '../protocol.ts';
import { createNotice } from './describe.ts';

type Tab = 'page' | 'library';
type View = 'list' | 'image' | 'library' | 'asset' | 'replace';

const tabNames: Readonly<Record<Tab, string>> = { page: 'Page', library: 'Library' };

/** The window of the app: two tabs, and one view at a time. */
export function createPanel(options: { onClose(): void; onTab(tab: Tab): void }) {
  let back: (() => void) | undefined;
  let view: View | undefined;
  const goBack = createButton('Back', () => back?.(), 'back');
  const title = createElement('strong', {});
  const failure = createElement('div', { class: 'failure' });
  const content = createElement('div', { class: 'content' });
  const status = createElement('p', { class: 'status', role: 'status' });
  const tabs = (['page', 'library'] as const).map((tab) => {
    const button = createButton(tabNames[tab], () => options.onTab(tab));
    button.id = `media-assets-${tab}`;
    button.role = 'tab';
    button.setAttribute('aria-controls', 'media-assets-content');
    return { tab, button };
  });
  const tabList = createElement(
    'div',
    { role: 'tablist', 'aria-label': 'Media assets', class: 'tabs' },
    ...tabs.map(({ button }) => button),
  );
  tabList.addEventListener('keydown', ({ key }) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    const other = tabs.find(({ button }) => button.ariaSelected !== 'true');
    if (other === undefined) return;
    options.onTab(other.tab);
    other.button.focus();
  });
  const body = createElement(
    'div',
    { role: 'tabpanel', id: 'media-assets-content', class: 'body' },
    createElement('div', { class: 'bar' }, goBack, title),
    failure,
    content,
  );
  const close = createButton('×', options.onClose, 'close');
  close.setAttribute('aria-label', 'Close media assets');
  const element = createElement(
    'aside',
    { class: 'panel', 'aria-label': 'Media assets' },
    createElement('header', {}, tabList, close),
    body,
    status,
  );

  return {
    element,
    show(
      shown: HTMLElement,
      next: {
        view: View;
        tab: Tab;
        back?: (() => void) | undefined;
        title?: string | undefined;
      },
    ) {
      // The number of results says nothing about the next view.
      if (view === 'library' && next.view !== view) status.textContent = '';
      back = next.back;
      view = next.view;
      goBack.hidden = back === undefined;
      title.textContent = next.title ?? '';
      (title.parentElement as HTMLElement).hidden = back === undefined;
      failure.replaceChildren();
      if (content.firstChild !== shown) content.replaceChildren(shown);
      for (const { tab, button } of tabs) {
        const isSelected = tab === next.tab;
        button.ariaSelected = String(isSelected);
        button.tabIndex = isSelected ? 0 : -1;
        if (isSelected) body.setAttribute('aria-labelledby', button.id);
      }
    },
    view: () => view,
    /** @returns whether there was a view to go back to */
    goBack(): boolean {
      if (back === undefined) return false;
      back();
      return true;
    },
    /** Focuses the heading of the view. */
    focusView() {
      content.querySelector<HTMLElement>('h2[tabindex]')?.focus();
    },
    focusButton(label: string) {
      const buttons = [...content.querySelectorAll('button')];
      (buttons.find(({ textContent }) => textContent?.startsWith(label)) ?? close).focus();
    },
    /** Shows an error above the view. */
    fail(notice: Notice) {
      failure.replaceChildren(createNotice(notice, 'alert'));
    },
    announce(message: string) {
      status.textContent = message;
    },
  };
}
