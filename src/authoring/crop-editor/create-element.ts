/** Content that is missing is left out. */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string | false | undefined)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content.filter((one) => one !== undefined && one !== false));
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
