export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

export function createButton(
  label: string,
  onClick: () => void,
  className = '',
): HTMLButtonElement {
  const button = createElement('button', { type: 'button', class: className }, label);
  button.addEventListener('click', onClick);
  return button;
}

/** A message about an input's value, hidden until there is one. */
export function createProblem(id: string) {
  const element = createElement('p', { class: 'problem', id, role: 'alert', hidden: '' });
  return {
    element,
    /** Marks the input as wrong; without a message, as right. */
    show(input: HTMLInputElement, message: string | undefined): void {
      element.hidden = message === undefined;
      element.textContent = message ?? '';
      input.ariaInvalid = message === undefined ? null : 'true';
      if (message === undefined) input.removeAttribute('aria-describedby');
      else input.setAttribute('aria-describedby', id);
    },
  };
}
