import { createButton, createElement } from '../../crop-editor/create-element.ts';
import { describePlace } from '../../library/describe.ts';
import type { Save } from '../protocol.ts';

export function createSavesView(saves: readonly Save[], onUndo: (save: Save) => void): HTMLElement {
  const items = saves.map((save) => {
    const name = describePlace(save);
    const undo = createButton('Undo', () => onUndo(save));
    undo.setAttribute('aria-label', `Undo the save to ${name}`);
    const gone = createElement('p', { class: 'quiet' }, 'The file has changed since.');
    return createElement(
      'li',
      { class: 'save' },
      createElement('code', {}, name),
      createElement(
        'pre',
        { tabindex: '0', 'aria-label': `What undo changes in ${name}` },
        ...linesOf('del', '−', save.after),
        ...linesOf('ins', '+', save.before),
      ),
      save.canUndo ? undo : gone,
    );
  });
  const none = createElement(
    'p',
    { class: 'empty' },
    'Nothing was saved since the dev server started.',
  );
  return createElement(
    'div',
    { class: 'view' },
    createElement('h2', { tabindex: '-1' }, 'Last saves'),
    items.length > 0 ? createElement('ul', { class: 'saves' }, ...items) : none,
  );
}

function linesOf(kind: 'del' | 'ins', sign: string, text: string): HTMLElement[] {
  if (text === '') return [];
  return text.split('\n').map((line) => createElement(kind, {}, `${sign} ${line}\n`));
}
