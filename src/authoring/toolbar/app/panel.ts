import { createButton, createElement } from '../../crop-editor/create-element.ts';
import { createTabs } from '../../crop-editor/tabs.ts';
import type { Notice } from '../protocol.ts';
import { createNotice } from './describe.ts';

type Tab = 'page' | 'library';
type View = 'list' | 'image' | 'library' | 'asset' | 'replace' | 'gaps' | 'upload';

const tabs = { page: { label: 'Page' }, library: { label: 'Library' } } as const;

/** The window of the app: two tabs, and one view at a time. */
export function createPanel(options: { onClose(): void; onTab(tab: Tab): void }) {
  let back: (() => void) | undefined;
  let view: View | undefined;
  const title = createElement('strong');
  const goBack = createButton('Back', () => back?.(), 'back');
  const bar = createElement('div', { class: 'bar' }, goBack, title);
  const failure = createElement('div', { class: 'failure' });
  const content = createElement('div', { class: 'content' });
  const status = createElement('p', { class: 'status', role: 'status' });
  const body = createElement(
    'div',
    { id: 'media-assets-content', class: 'body' },
    bar,
    failure,
    content,
  );
  const tabList = createTabs([tabs.page, tabs.library], {
    label: 'Media assets',
    panel: body,
    onSelect: (tab) => options.onTab(tab === tabs.page ? 'page' : 'library'),
  });
  const close = createButton('×', options.onClose, 'close');
  close.setAttribute('aria-label', 'Close media assets');
  const element = createElement(
    'aside',
    { class: 'panel', 'aria-label': 'Media assets' },
    createElement('header', {}, tabList.element, close),
    body,
    status,
  );

  return {
    element,
    show(
      shown: HTMLElement,
      next: { view: View; tab: Tab; back?: (() => void) | undefined; title?: string | undefined },
    ) {
      // The number of results says nothing about the next view.
      if (view === 'library' && next.view !== view) status.textContent = '';
      back = next.back;
      view = next.view;
      bar.hidden = back === undefined;
      title.textContent = next.title ?? '';
      failure.replaceChildren();
      if (content.firstChild !== shown) content.replaceChildren(shown);
      tabList.show(tabs[next.tab]);
    },
    view: () => view,
    /** @returns whether there was a view to go back to */
    goBack(): boolean {
      if (back === undefined) return false;
      back();
      return true;
    },
    focusView() {
      content.querySelector<HTMLElement>('h2[tabindex]')?.focus();
    },
    focusButton(label: string) {
      const buttons = [...content.querySelectorAll('button')];
      (buttons.find(({ textContent }) => textContent?.startsWith(label)) ?? close).focus();
    },
    fail(notice: Notice) {
      failure.replaceChildren(createNotice(notice, 'alert'));
    },
    announce(message: string, action: HTMLElement | '' = '') {
      status.replaceChildren(message, action);
    },
  };
}
