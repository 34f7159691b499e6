import { createElement } from '../../../crop-editor/create-element.ts';
import { createFailure } from '../../../library/describe.ts';
import type { Session } from '../../../library/session.ts';
import type { UploadAnswer } from '../../protocol.ts';

/** Asks for names and texts of files, and uploads them one after another, with progress. */
export function createUploadView(options: {
  files: readonly File[];
  folder: HTMLSelectElement;
  session: Session;
  locale: string;
  hasPlace: boolean;
  /** Hears which part of an upload is with the service. */
  onProgress(take: (part: number) => void): void;
  /** Hears what is with the service by then. */
  onEnd(answers: readonly UploadAnswer[], isInserted: boolean): void;
}): { element: HTMLElement; focus(): void } {
  const { files, folder, session, locale, onProgress } = options;
  const [first] = files as readonly [File];
  const isAlone = files.length === 1;
  folder.id = 'upload-folder';
  const rows = files.map(createRow);
  const isInsertable = isAlone && isImage(first) && options.hasPlace;
  const [button, ...others] = [...(isInsertable ? ['Upload and insert'] : []), 'Upload'].map(
    (label) => createElement('button', { type: 'submit' }, label),
  ) as [HTMLButtonElement];
  button.classList.add('primary');
  const element = createElement(
    'form',
    { class: 'view' },
    createElement('h2', {}, `Upload ${isAlone ? first.name : `${files.length} files`}`),
    createElement('label', { for: folder.id }, 'Folder'),
    folder,
    createElement('ul', { class: 'uploads' }, ...rows.map((row) => row.element)),
    createElement('div', { class: 'actions' }, button, ...others),
  );
  let isBusy = false;

  async function upload({ file, name, alt, state }: (typeof rows)[number]) {
    const progress = createElement('progress', { 'aria-label': `Upload of ${file.name}` });
    state.replaceChildren(progress);
    onProgress((part) => {
      progress.value = part;
    });
    try {
      const text = alt.value.trim() || undefined;
      const about = { filename: file.name, name: name.value, folder: Number(folder.value), locale };
      const { asset, isSame, lacksAlt } = await session.upload(file, { ...about, alt: text });
      const end = isSame ? ' already' : lacksAlt ? '. Its record lacks the alt text' : '';
      state.textContent = `Is asset ${asset.id}${end}`;
      name.disabled = alt.disabled = true;
      return { asset: { ...asset, alt: text }, isSame };
    } catch (error) {
      state.replaceChildren(createFailure(error));
      return undefined;
    }
  }

  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    for (const row of rows) row.answer ??= await upload(row);
    isBusy = false;
    const answers = rows.flatMap(({ answer }) => answer ?? []);
    if (!isAlone) button.textContent = answers.length < rows.length ? 'Try again' : 'Uploaded';
    options.onEnd(answers, event.submitter?.textContent === 'Upload and insert');
  });
  const [row] = rows as [(typeof rows)[number]];
  return { element, focus: () => (row.alt.hidden ? row.name : row.alt).focus() };
}

function createRow(file: File) {
  const name = createElement('input', { 'aria-label': `Name of ${file.name}`, required: '' });
  name.maxLength = 1000;
  name.value = file.name.replace(/\.[^.]+$/, '') || file.name;
  const alt = createElement('input', {
    'aria-label': `Alt text of ${file.name}`,
    maxlength: '1000',
  });
  alt.placeholder = 'Alt text';
  alt.hidden = !isImage(file);
  const state = createElement('div', { class: 'quiet', role: 'status' });
  const element = createElement('li', {}, name, alt, state);
  return { file, name, alt, state, element, answer: undefined as UploadAnswer | undefined };
}

const isImage = ({ type }: File) => type.startsWith('image/');
