import { createButton, createElement } from '../crop-editor/create-element.ts';
import { createFailure } from '../library/describe.ts';
import { createLibrary } from '../library/library.ts';
import { createPlacement } from '../library/placement.ts';
import type { Session } from '../library/session.ts';
import type { ListedAsset } from '../toolbar/protocol.ts';
import { cropAsset, croppedImage } from './crop-asset.ts';
import { type PickedAsset, pickedAsset, withAsset } from './picked-asset.ts';
import type { SignIn } from './sign-in.ts';

/** Opens a dialog in which an editor chooses an image, its text and its crop. Returns what they use. */
export function pickAsset(
  given: {
    readonly session: Session & { readonly signIn: SignIn };
    readonly locale: string;
    readonly layers: HTMLElement;
  },
  value: PickedAsset | undefined,
): Promise<PickedAsset | undefined> {
  const { session, locale, layers } = given;
  const { promise, resolve } = Promise.withResolvers<PickedAsset | undefined>();
  let picked: PickedAsset | undefined;
  const title = createElement('h2', { id: 'picker-title' });
  const back = createButton('All images', showLibrary, 'back');
  const close = createButton('×', () => dialog.close(), 'close');
  close.ariaLabel = 'Close';
  const notice = session.signIn.createNotice();
  const signOut = createButton('Sign out', endSession, 'back');
  session.signIn.showSignOut(signOut);
  const failure = createElement('div', { class: 'failure' });
  const content = createElement('div', { class: 'content' });
  const status = createElement('p', { class: 'status', role: 'status' });
  const dialog = createElement(
    'dialog',
    { lang: 'en', dir: 'ltr', class: 'media-assets picker', 'aria-labelledby': title.id },
    createElement('header', {}, back, title, signOut, close),
    ...[notice, failure, content, status],
  );
  const announce = (message: string) => status.replaceChildren(message);
  const fail = (error: unknown) => failure.replaceChildren(createFailure(error));
  const [onOpen, onTakeFirst] = [showAsset, showAsset];
  const shared = { session, announce, locale: () => locale };
  const library = createLibrary({ ...shared, kind: 'image', onOpen, onTakeFirst });

  function show(element: HTMLElement, name: string): void {
    back.hidden = element === library.element;
    title.textContent = name;
    announce('');
    failure.replaceChildren();
    content.replaceChildren(element);
  }

  async function endSession(): Promise<void> {
    await session.post('sign-out', {}).then(session.signIn.ask, fail);
    notice.querySelector('button')?.focus();
  }

  function showLibrary(): void {
    show(library.element, 'Choose an image');
    library.open();
    library.focusAssets();
  }

  function showAsset({ id, name }: Pick<ListedAsset, 'id' | 'name'>): void {
    let chosen = withAsset(value, id);
    const details = session.asset({ id, locale });
    const placement = createPlacement({ details, typed: chosen.alt });
    const image = createElement('img', { alt: '', class: 'preview' });
    const use = createElement('button', { type: 'submit', class: 'primary' }, 'Use this image');
    const crop = createButton('Crop', async () => {
      announce('Opening the image…');
      const changed = await cropAsset(given, chosen).catch(fail);
      announce(changed ? 'The crop is set. Use this image to keep it.' : '');
      chosen = changed ?? chosen;
      if (changed) showImage();
      crop.focus();
    });
    const actions = createElement('div', { class: 'actions' }, use, crop);
    const view = createElement('form', { class: 'view' }, image, placement.element, actions);
    const showImage = () =>
      croppedImage(session, chosen).then((url) => {
        URL.revokeObjectURL(image.src);
        image.src = url;
      }, fail);
    view.addEventListener('submit', async (event) => {
      event.preventDefault();
      const placed = await placement.read();
      if (!placed) return;
      picked = pickedAsset({ ...chosen, alt: placed.isOfRecord ? undefined : placed.alt });
      dialog.close();
    });
    show(view, name);
    details.then((known) => {
      if (view.isConnected) title.textContent = known.name ?? name;
    }, fail);
    showImage();
    placement.focus();
  }

  dialog.addEventListener('close', () => {
    dialog.remove();
    resolve(picked);
  });
  layers.append(dialog);
  dialog.showModal();
  if (value) showAsset({ id: value.id, name: `Asset ${value.id}` });
  else showLibrary();
  return promise;
}
