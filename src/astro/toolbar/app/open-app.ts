import type { SourcePlace } from '../protocol.ts';
import { createElement } from './create-element.ts';
import { openCropEditor } from './crop/crop-editor.ts';
import { createDetails, type Details } from './image-details.ts';
import { createOutlines } from './outlines.ts';
import { findPageImages, labelOf, type PageImage } from './page-images.ts';
import { adoptPanelStyles } from './panel-styles.ts';
import { openSession, type ToolbarServer } from './session.ts';

/** Astro reloads the page after a save. The selected image and the last message stay. */
const selectedKey = 'astro-media-asset.selected';
const messageKey = 'astro-media-asset.message';

/**
 * Opens the app in its canvas: outlines of the page's images, and a panel with the selected one.
 *
 * @param given.close closes the app, also in the toolbar
 */
export function openApp({
  canvas,
  server,
  close,
}: {
  canvas: ShadowRoot;
  server: ToolbarServer;
  close: () => void;
}): { show(isOpen: boolean): void } {
  const session = openSession(server);
  const outlines = createOutlines(select);
  const list = createElement('ul', { class: 'images', 'aria-label': 'Images on this page' });
  const empty = createElement('p', {}, 'No media assets on this page.');
  const status = createElement('p', { class: 'status', role: 'status' });
  const details: Details = createDetails({ session, onCrop, onSaved });
  const closing = createElement('button', { type: 'button', class: 'close' }, 'Close');
  const panel = createElement(
    'section',
    { class: 'media-asset-panel', 'aria-label': 'Media assets' },
    createElement('header', {}, createElement('h2', {}, 'Media assets'), closing),
    ...[empty, list, details.element, status],
  );
  let images: PageImage[] = [];
  let selected: PageImage | undefined;
  let isShown = false;

  closing.addEventListener('click', close);
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !selected) return;
    event.stopPropagation();
    select(undefined);
    list.querySelector('button')?.focus();
  });
  // Astro's client router replaces the page.
  document.addEventListener('astro:page-load', () => isShown && refresh());

  function refresh(): void {
    images = findPageImages();
    const index = Number(sessionStorage.getItem(selectedKey) ?? -1);
    empty.hidden = images.length > 0;
    list.replaceChildren(...images.map(listItem));
    select(images[index]);
  }

  function listItem(image: PageImage): HTMLLIElement {
    const sign = image.problems.length > 0 ? createElement('span', { class: 'sign' }, '⚠') : '';
    const button = createElement('button', { type: 'button' }, labelOf(image.shown), ' ', sign);
    button.addEventListener('click', () => select(image));
    return createElement('li', {}, button);
  }

  function select(image: PageImage | undefined): void {
    selected = image;
    const index = image ? images.indexOf(image) : -1;
    sessionStorage.setItem(selectedKey, String(index));
    outlines.show(images, image);
    for (const [at, button] of [...list.querySelectorAll('button')].entries()) {
      button.setAttribute('aria-pressed', String(at === index));
    }
    image?.element.scrollIntoView({ block: 'nearest' });
    void details.show(image);
  }

  async function onCrop(
    { shown }: PageImage,
    onSave: (change: object) => Promise<SourcePlace>,
  ): Promise<void> {
    const { original, props, id, layout } = shown;
    if (!original) return;
    const image = await session.image(id, 1600);
    const opener = canvas.activeElement as HTMLElement | null;
    const editor = openCropEditor(canvas, {
      ...{ image, original, layout, saveLabel: 'Save' },
      ...{ crop: props.crop, aspect: props.aspect, focus: props.focus },
      sources: props.sources ?? [],
      async onSave(change) {
        if (Object.keys(change).length > 0) onSaved(await onSave(change));
        finish();
      },
      onCancel: finish,
    });
    function finish(): void {
      editor.close();
      opener?.focus();
    }
  }

  function onSaved({ file, line }: SourcePlace): void {
    status.textContent = `Saved to ${file}:${line}.`;
    sessionStorage.setItem(messageKey, status.textContent);
  }

  return {
    show(isOpen) {
      isShown = isOpen;
      if (!isOpen) {
        outlines.hide();
        canvas.replaceChildren();
        return;
      }
      adoptPanelStyles(canvas);
      canvas.replaceChildren(outlines.element, panel);
      refresh();
      status.textContent = sessionStorage.getItem(messageKey);
      sessionStorage.removeItem(messageKey);
    },
  };
}
