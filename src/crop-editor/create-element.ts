/** Creates an element with attributes and content. */
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

/** A button of type `button`. */
export function createButton(
  label: string,
  onClick: () => void,
  className = '',
): HTMLButtonElement {
  const button = createElement('button', { type: 'button', class: className }, label);
  button.addEventListener('click', onClick);
  return button;
}
