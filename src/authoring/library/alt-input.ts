import { createElement } from '../crop-editor/create-element.ts';

let count = 0;

/** A field for an alt text, a mark as decoration instead, and what's wrong with it. */
export function createAltInput(attributes: Readonly<Record<string, string>> = {}) {
  const id = `asset-alt-${++count}`;
  const problem = createElement('p', { class: 'problem', id: `${id}-problem`, role: 'alert' });
  const about = { type: 'text', id, maxlength: '10000', 'aria-describedby': problem.id };
  const input = createElement('input', { ...about, ...attributes });
  const decoration = createElement('input', { type: 'checkbox' });

  function showProblem(message: string): void {
    problem.textContent = message;
    input.ariaInvalid = message === '' ? null : 'true';
  }
  input.addEventListener('input', () => showProblem(''));
  decoration.addEventListener('change', () => {
    input.disabled = decoration.checked;
    showProblem('');
  });

  return {
    ...{ input, decoration, problem, showProblem },
    /** @param text `''` for decoration */
    show(text: string | undefined): void {
      input.value = text ?? '';
      decoration.checked = text === '';
      input.disabled = decoration.checked;
    },
    /** `''` for decoration; `undefined` if nothing is written. */
    text: () => (decoration.checked ? '' : input.value.trim() || undefined),
    askForText(): void {
      showProblem('Write what the image shows, or mark it as decoration.');
      input.focus();
    },
  };
}
