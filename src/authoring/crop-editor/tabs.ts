import { createButton, createElement } from './create-element.ts';

export function createTabs<Tab extends { readonly label: string }>(
  tabs: readonly Tab[],
  options: {
    readonly label: string;
    readonly panel: HTMLElement;
    readonly pictures?: ReadonlyMap<Tab, Node>;
    onSelect(tab: Tab): void;
  },
) {
  const { label, panel, pictures, onSelect } = options;
  const buttons = tabs.map((tab, index) => {
    const button = createButton(tab.label, () => onSelect(tab));
    button.prepend(pictures?.get(tab) ?? '');
    button.role = 'tab';
    button.id = `${panel.id}-tab-${index}`;
    button.setAttribute('aria-controls', panel.id);
    // The label may be cut off.
    button.title = tab.label;
    return button;
  });
  const list = { class: 'tabs', role: 'tablist', 'aria-label': label };
  const element = createElement('div', list, ...buttons);
  element.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const next = (at + step + buttons.length) % buttons.length;
    onSelect(tabs[next] as Tab);
    buttons[next]?.focus();
  });
  panel.setAttribute('role', 'tabpanel');
  return {
    element,
    show(selected: Tab) {
      for (const [index, button] of buttons.entries()) {
        const isSelected = tabs[index] === selected;
        button.ariaSelected = String(isSelected);
        button.tabIndex = isSelected ? 0 : -1;
        if (isSelected) panel.setAttribute('aria-labelledby', button.id);
      }
    },
  };
}
