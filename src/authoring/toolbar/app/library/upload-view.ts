import { createElement } from '../../../crop-editor/create-element.ts';
import type { UploadAnswer } from '../../protocol.ts';
import { createFailure } from '../describe.ts';
import { createPlacement } from '../placement.ts';
import type { Session } from '../session.ts';

/** Asks for a file's folder, name and alt text, and uploads it. */
export function createUploadView(options: {
  file: File;
  folder: HTMLSelectElement;
  session: Session;
  locale: string;
  /** Whether the page has a place to insert an image. */
  hasPlace: boolean;
  /** Hears which part of an upload is with the service. */
  onProgress(take: (part: number) => void): void;
  onUploaded(answer: UploadAnswer, isInserted: boolean): void;
  onFailure(error: unknown): void;
}): { element: HTMLElement; focus(): void } {
  const { file, folder, session, locale } = options;
  const isImage = file.type.startsWith('image/');
  const image = createElement('img', { alt: '', class: 'preview', src: URL.createObjectURL(file) });
  image.addEventListener('load', () => URL.revokeObjectURL(image.src));
  const name = createElement('input', { id: 'upload-name', required: '', maxlength: '1000' });
  name.value = nameOf(file);
  folder.id = 'upload-folder';
  const placement = createPlacement({});
  const progress = createElement('progress', { 'aria-label': 'Upload', hidden: '' });
  const buttons = isImage && options.hasPlace ? ['Upload and insert', 'Upload'] : ['Upload'];
  const [first, ...others] = buttons.map((label) =>
    createElement('button', { type: 'submit', name: label }, label),
  ) as [HTMLButtonElement];
  first.classList.add('primary');
  const element = createElement(
    'form',
    { class: 'view' },
    createElement('h2', {}, `Upload ${file.name}`),
    isImage && image,
    createElement('label', { for: name.id }, 'Name'),
    name,
    createElement('label', { for: folder.id }, 'Folder'),
    folder,
    isImage && placement.element,
    createElement('div', { class: 'actions' }, first, ...others),
    progress,
  );
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    const isInserted = event.submitter?.textContent === 'Upload and insert';
    const placed = isImage ? await placement.read() : { alt: undefined };
    if (!placed || !progress.hidden) return;
    progress.hidden = false;
    options.onProgress((part) => {
      progress.value = part;
    });
    const { alt } = placed;
    const values = { filename: file.name, name: name.value, folder: Number(folder.value), locale };
    try {
      const answer = await session.upload(file, { ...values, alt: alt || undefined });
      options.onUploaded({ ...answer, asset: { ...answer.asset, alt } }, isInserted);
    } catch (error) {
      options.onFailure(error);
    }
    progress.hidden = true;
  });
  return { element, focus: () => (isImage ? placement.focus() : name.focus()) };
}

/** Uploads several files into one folder, one after another, and says of each how far it is. */
export function createUploadList(options: {
  files: readonly File[];
  folder: HTMLSelectElement;
  session: Session;
  locale: string;
  onProgress(take: (part: number) => void): void;
  /** Hears how many files are with the service, of those that were to be uploaded. */
  onEnd(count: number): void;
}): { element: HTMLElement; focus(): void } {
  const { files, folder, session, locale, onProgress } = options;
  folder.id = 'upload-folder';
  const rows = files.map((file) => {
    const alt = createElement('input', { 'aria-label': `Alt text of ${file.name}` });
    alt.placeholder = 'Alt text';
    alt.hidden = !file.type.startsWith('image/');
    const state = createElement('div', { class: 'quiet', role: 'status' }, 'Waiting');
    const name = createElement('span', { class: 'name', title: file.name }, file.name);
    return { file, alt, state, isDone: false, element: createElement('li', {}, name, alt, state) };
  });
  const button = createElement('button', { type: 'submit', class: 'primary' }, 'Upload');
  const element = createElement(
    'form',
    { class: 'view' },
    createElement('h2', { tabindex: '-1' }, `Upload ${files.length} files`),
    createElement('label', { for: folder.id }, 'Folder'),
    folder,
    createElement('ul', { class: 'uploads' }, ...rows.map((row) => row.element)),
    createElement('div', { class: 'actions' }, button),
  );
  let isBusy = false;

  async function upload({ file, alt, state }: (typeof rows)[number]): Promise<boolean> {
    const progress = createElement('progress', { 'aria-label': `Upload of ${file.name}` });
    state.replaceChildren(progress);
    onProgress((part) => {
      progress.value = part;
    });
    const values = {
      filename: file.name,
      name: nameOf(file),
      folder: Number(folder.value),
      locale,
    };
    try {
      const given = { ...values, alt: alt.value.trim() || undefined };
      const { asset, isSame } = await session.upload(file, given);
      state.textContent = isSame ? `Is asset ${asset.id} already` : `Asset ${asset.id}`;
      alt.disabled = true;
      return true;
    } catch (error) {
      state.replaceChildren(createFailure(error));
      return false;
    }
  }

  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    const open = rows.filter(({ isDone }) => !isDone);
    if (isBusy || open.length === 0) return;
    isBusy = true;
    for (const row of open) row.isDone = await upload(row);
    isBusy = false;
    const count = rows.filter(({ isDone }) => isDone).length;
    button.textContent = count < rows.length ? 'Try the others again' : 'Uploaded';
    options.onEnd(count);
  });
  return { element, focus: () => element.querySelector('h2')?.focus() };
}

const nameOf = ({ name }: File) => name.replace(/\.[^.]+$/, '') || name;
