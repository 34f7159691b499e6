import { createElement } from './create-element.ts';

/** Tabs that arrow keys switch. One tab alone isn't shown. */
export function createTabs<Tab extends { readonly label: string }>(
  tabs: readonly Tab[],
  { panel, onSelect }: { panel: HTMLElement; onSelect(index: number): void },
) {
  const element = createElement('div', {
    class: 'tabs',
    role: 'tablist',
    'aria-label': 'Crops',
  });
  element.hidden = tabs.length < 2;
  const buttons = tabs.map(({ label }, index) => {
    const button = createElement(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `media-asset-crop-tab-${index}`,
        title: label,
        'aria-controls': panel.id,
      },
      label,
    );
    button.addEventListener('click', () => onSelect(index));
    return button;
  });
  element.append(...buttons);
  element.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const next = (at + step + buttons.length) % buttons.length;
    onSelect(next);
    buttons[next]?.focus();
  });
  if (tabs.length > 1) panel.setAttribute('role', 'tabpanel');
  return {
    element,
    show(selected: number, isChanged: (tab: Tab) => boolean) {
      for (const [index, button] of buttons.entries()) {
        const isSelected = index === selected;
        button.setAttribute('aria-selected', String(isSelected));
        button.tabIndex = isSelected ? 0 : -1;
        if (isSelected && tabs.length > 1) panel.setAttribute('aria-labelledby', button.id);
        const changed = isChanged(tabs[index] as Tab);
        button.classList.toggle('changed', changed);
        if (changed) button.setAttribute('aria-description', 'Changed');
        else button.removeAttribute('aria-description');
      }
    },
  };
}
