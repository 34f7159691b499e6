import { createButton, createElement } from '../../crop-editor/create-element.ts';
import { createTabs } from '../../crop-editor/tabs.ts';
import { createFailure } from '../../library/describe.ts';
import { readMemory, remember } from './tab-memory.ts';

type View = 'list' | 'image' | 'saves' | 'library' | 'asset' | 'gaps' | 'upload';

const page = { label: 'Page' };
const library = { label: 'Library' };

const focusable = 'button, input, select, a[href], [tabindex]';

/** The window of the app: two tabs, and one view at a time. */
export function createPanel(options: { onClose(): void; onPage(): void; onLibrary(): void }) {
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
  const tabs = createTabs([page, library], {
    label: 'Media assets',
    panel: body,
    onSelect: (tab) => (tab === page ? options.onPage() : options.onLibrary()),
  });
  const dock = createButton('⇄', () => show(!element.classList.contains('left')), 'close');
  dock.setAttribute('aria-label', 'Move to the other side');
  const close = createButton('×', options.onClose, 'close');
  close.setAttribute('aria-label', 'Close media assets');
  const element = createElement(
    'aside',
    { class: 'panel', 'aria-label': 'Media assets' },
    createElement('header', {}, tabs.element, createElement('span', {}, dock, close)),
    body,
    status,
  );

  /** It covers the end of a page's lines, unless the author moves it. */
  function show(isLeft: boolean): void {
    element.classList.toggle('left', isLeft);
    remember({ isLeft });
  }
  const isRightToLeft = getComputedStyle(document.documentElement).direction === 'rtl';
  show(readMemory().isLeft ?? isRightToLeft);
  // From the last control, Tab goes to the first one.
  element.addEventListener('keydown', (event) => {
    const all = [...element.querySelectorAll<HTMLElement>(focusable)];
    const shown = all.filter((one) => one.tabIndex >= 0 && one.checkVisibility());
    const root = element.getRootNode() as ShadowRoot;
    if (event.key !== 'Tab' || event.shiftKey || root.activeElement !== shown.at(-1)) return;
    event.preventDefault();
    shown[0]?.focus();
  });

  return {
    element,
    show(
      shown: HTMLElement,
      next: { view: View; back?: (() => void) | undefined; title?: string | undefined },
    ) {
      // The number of results says nothing about the next view.
      if (view === 'library' && next.view !== view) status.textContent = '';
      back = next.back;
      view = next.view;
      remember({ isInLibrary: view === 'library' && !back });
      bar.hidden = back === undefined;
      title.textContent = next.title ?? '';
      failure.replaceChildren();
      if (content.firstChild !== shown) content.replaceChildren(shown);
      tabs.show(view === 'list' || view === 'image' || view === 'saves' ? page : library);
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
    fail(error: unknown) {
      failure.replaceChildren(createFailure(error));
    },
    announce(message: string, action: HTMLElement | '' = '') {
      status.replaceChildren(message, action);
    },
  };
}
