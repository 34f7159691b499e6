import { createElement } from '../../../crop-editor/create-element.ts';
import type { UploadAnswer } from '../../protocol.ts';
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
  name.value = file.name.replace(/\.[^.]+$/, '');
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
