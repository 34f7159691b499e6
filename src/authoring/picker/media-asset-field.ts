import { adoptStyles } from '../crop-editor/adopt-styles.ts';
import { createButton, createElement } from '../crop-editor/create-element.ts';
import { libraryStyles } from '../library/library-styles.ts';
import { createSession, noticeFrom, type Session } from '../library/session.ts';
import { cropAsset, croppedImage } from './crop-asset.ts';
import { pickAsset } from './pick-asset.ts';
import { type PickedAsset, pickedAsset } from './picked-asset.ts';
import { createSignIn, type SignIn } from './sign-in.ts';

/** The styles of a picker's field and dialog. Their colors are the CMS's, not the system's. */
const styles = `
:host { display: block; }
:host([hidden]) { display: none; }
.media-assets:is(.field, .picker), .media-asset-crop { color-scheme: inherit; }
.field {
  display: grid; grid-template-columns: auto 1fr; gap: 8px 12px; padding: 10px; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); overflow-wrap: anywhere;
  > .thumbnail { width: 120px; height: 90px; }
  > .thumbnail[hidden] + div, > :is(.actions, .sign-in) { grid-column: 1 / -1; flex-wrap: wrap; }
  > .actions button { flex: 0 1 auto; }
  button:disabled { opacity: 0.5; cursor: default; }
}
.picker {
  width: min(760px, 100vw - 16px); max-width: none; height: min(760px, 100dvh - 16px); max-height: none; padding: 0; overflow: hidden; flex-direction: column; border: 1px solid var(--line); border-radius: 14px; background: var(--ground);
  &[open] { display: flex; }
  &::backdrop { background: #0d0e119e; }
  > header { display: flex; flex: none; gap: 12px; align-items: center; padding: 10px 12px; border-bottom: 1px solid var(--line); > h2 { flex: 1; } }
  .back:not([hidden]) ~ .back { display: none; }
  .preview { height: min(260px, 34dvh); }
  @media (width >= 600px) { .filters { grid-template-columns: repeat(3, 1fr); } }
  @media (height < 480px) { &, .content { overflow-y: auto; } .library, .scroller, .view { flex: none; overflow: visible; } }
}
`;

type PickerSession = Session & { readonly signIn: SignIn };

const sessions = new Map<string, PickerSession>();

/** The session of a site's base, which all fields of a page share. */
export function sessionOf(base: string): PickerSession {
  const signIn = createSignIn(base);
  const session = sessions.get(base) ?? { ...createSession(base, signIn), signIn };
  sessions.set(base, session);
  return session;
}

/** Events in a dialog that a CMS may take for its own: shortcuts, and an editor around the field. */
const ownEvents = 'keydown keyup keypress beforeinput input paste copy cut dragstart dragover drop';

/**
 * A form field for an image: `<media-asset-field endpoint="/" lang="en" label="Hero">`. Each change by an
 * editor is an event `change` with the new value as `detail`, `undefined` for none.
 */
export class MediaAssetField extends HTMLElement {
  static readonly observedAttributes = ['endpoint', 'lang', 'required', 'readonly', 'label'];
  readonly #root = this.attachShadow({ mode: 'open' });
  readonly #image = createElement('img', { alt: '' });
  readonly #thumbnail = createElement('span', { class: 'thumbnail' }, this.#image);
  readonly #name = createElement('p', { class: 'name' });
  readonly #alt = createElement('p', { class: 'quiet', dir: 'auto' });
  readonly #problem = createElement('p', { class: 'problem', role: 'status' });
  readonly #choose = createButton('', () =>
    this.#edit(this.#choose, () => pickAsset(this.#context(), this.#value)),
  );
  readonly #crop = createButton('Crop', () =>
    this.#edit(this.#crop, () => cropAsset(this.#context(), this.#value as PickedAsset)),
  );
  readonly #remove = createButton('Remove', () => {
    this.#change(undefined);
    this.#choose.focus();
  });
  readonly #layers = createElement('div');
  readonly #signIn = createElement('div', { class: 'sign-in' });
  readonly #field = createElement(
    'div',
    { class: 'media-assets field', lang: 'en', dir: 'ltr', role: 'group' },
    ...[this.#signIn, this.#thumbnail],
    createElement('div', {}, this.#name, this.#alt, this.#problem),
    createElement('div', { class: 'actions' }, this.#choose, this.#crop, this.#remove),
  );
  #value: PickedAsset | undefined;
  #shown = '';
  #isEdited = false;

  constructor() {
    super();
    adoptStyles(this.#root, libraryStyles + styles);
    this.#root.append(this.#field, this.#layers);
    for (const type of ownEvents.split(' '))
      this.#layers.addEventListener(type, (event) => event.stopPropagation());
    // Or else an editor around the field takes these keys from its buttons.
    this.#field.addEventListener('keydown', (event) => {
      if (/^(?:Enter| |Backspace|Delete)$/.test(event.key)) event.stopPropagation();
    });
  }

  connectedCallback(): void {
    const { value } = this;
    // Or else Sveltia takes all keys of a field in a text, also those of the dialog.
    this.contentEditable = 'false';
    this.#signIn.replaceChildren(this.#context().session.signIn.createNotice());
    // A value that was set before the element is defined hides the property.
    Reflect.deleteProperty(this, 'value');
    this.value = value;
  }

  attributeChangedCallback(): void {
    this.#show();
  }

  get value(): PickedAsset | undefined {
    return this.#value;
  }

  set value(given: unknown) {
    this.#value = pickedAsset(given);
    this.#show();
  }

  #context() {
    const session = sessionOf(this.getAttribute('endpoint') ?? '/');
    return { session, locale: this.lang, layers: this.#layers };
  }

  #change(given: PickedAsset | undefined): void {
    const before = JSON.stringify(this.#value);
    this.value = given;
    if (JSON.stringify(this.#value) === before) return;
    const about = { detail: this.#value, bubbles: true, composed: true };
    this.dispatchEvent(new CustomEvent('change', about));
  }

  async #edit(button: HTMLElement, edit: () => Promise<PickedAsset | undefined>): Promise<void> {
    if (this.#isEdited) return;
    this.#isEdited = true;
    const value = await edit().catch((error) => this.#say(error));
    this.#isEdited = false;
    if (value) this.#change(value);
    button.focus();
  }

  #say(error: unknown): void {
    const { message, hint = '' } = noticeFrom(error);
    this.#problem.textContent = `${message} ${hint}`;
  }

  #show(): void {
    if (!this.isConnected) return;
    const value = this.#value;
    const isRequired = this.hasAttribute('required');
    this.#field.ariaLabel = this.getAttribute('label') ?? 'Image';
    for (const button of [this.#choose, this.#crop, this.#remove])
      button.disabled = this.hasAttribute('readonly');
    this.#choose.textContent = value ? 'Change' : 'Choose';
    this.#thumbnail.hidden = this.#crop.hidden = !value;
    this.#remove.hidden = !value || isRequired;
    const shown = JSON.stringify([value, this.lang, this.getAttribute('endpoint'), isRequired]);
    // A CMS sets the same value again and again.
    if (shown === this.#shown) return;
    this.#shown = shown;
    URL.revokeObjectURL(this.#image.src);
    this.#image.removeAttribute('src');
    this.#problem.textContent = '';
    const none = isRequired ? 'No image (required)' : 'No image';
    this.#name.textContent = value ? `Asset ${value.id}` : none;
    this.#alt.textContent = value ? (value.alt ?? 'Alt text of the record') || 'Decoration' : '';
    const isLate = () => this.#shown !== shown;
    if (value) this.#load(value, isLate).catch((error) => isLate() || this.#say(error));
  }

  /** Shows what the service says about a value. */
  async #load(value: PickedAsset, isLate: () => boolean): Promise<void> {
    const { session, locale } = this.#context();
    const { name, size, record } = await session.asset({ id: value.id, locale });
    if (isLate()) return;
    const { isForbidden, rights = '', focus: recordFocus } = record ?? {};
    this.#name.textContent = name ?? `Asset ${value.id}`;
    if (isForbidden) this.#problem.textContent = `The site may not show this asset (${rights}).`;
    else if (rights === 'unknown')
      this.#problem.textContent = "It isn't known whether the site may show this asset.";
    else if (rights.includes('until')) this.#problem.textContent = rights.replace(/^a/, 'A');
    const url = await croppedImage(session, { ...value, original: size, recordFocus });
    if (!isLate()) this.#image.src = url;
  }
}

// A page may load the module twice.
if (!customElements.get('media-asset-field'))
  customElements.define('media-asset-field', MediaAssetField);
