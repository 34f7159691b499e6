import { createElement } from './create-element.ts';

const keys: readonly (readonly [string, string])[] = [
  ['Arrows', 'move by 1 px'],
  ['Ctrl or Alt + arrows', 'move by 10 px'],
  ['Shift + arrows', 'resize'],
  ['Ctrl + Z', 'undo'],
  ['Shift + Ctrl + Z', 'redo'],
  ['Enter', 'save'],
  ['Escape', 'cancel'],
];

/** @param id for `aria-describedby` of what the keys change */
export function createKeysHelp(id: string): HTMLElement {
  const rows = keys.map(([key, effect]) =>
    createElement('li', {}, createElement('kbd', {}, key), createElement('span', {}, ` ${effect}`)),
  );
  return createElement(
    'section',
    { class: 'keys' },
    createElement('h3', {}, 'Keys'),
    createElement('ul', { id }, ...rows),
  );
}

/** Lets Tab go from the last control to the first, and back, instead of to the browser's own. */
export function keepFocus(dialog: HTMLElement, event: KeyboardEvent): void {
  const controls = [
    ...dialog.querySelectorAll<HTMLElement>('button, input, [tabindex="0"]'),
  ].filter(
    (control) =>
      control.tabIndex >= 0 && control.checkVisibility() && !control.matches(':disabled'),
  );
  const reachable = controls.filter((control) => !isOtherRadio(control, controls));
  const edge = event.shiftKey ? reachable[0] : reachable.at(-1);
  const root = dialog.getRootNode() as Document | ShadowRoot;
  if (root.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? reachable.at(-1) : reachable[0])?.focus();
}

/** Tab reaches only the checked radio button of a group. */
function isOtherRadio(control: HTMLElement, controls: readonly HTMLElement[]): boolean {
  if (!(control instanceof HTMLInputElement) || control.type !== 'radio' || control.checked) {
    return false;
  }
  return controls.some(
    (other) => other instanceof HTMLInputElement && other.name === control.name && other.checked,
  );
}
