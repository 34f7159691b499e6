import type { Page } from 'playwright-core';

/** Counts what a person does in a page: keys, clicks and drags. */
export interface ActionCounter {
  /** Since the last call of `restart`, across reloads. */
  readonly actions: readonly string[];
  restart(): void;
}

// A drag is one pointer press. Modifier keys belong to the key that follows.
const script = `
for (const type of ['pointerdown', 'keydown'])
  addEventListener(type, (event) => {
    if (!['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) countAction(event.key ?? 'pointer');
  }, { capture: true });
`;

/** Counts the trusted events of the browser from the next page that loads. */
export async function countActions(page: Page): Promise<ActionCounter> {
  const actions: string[] = [];
  await page.exposeFunction('countAction', (name: string) => void actions.push(name));
  await page.addInitScript(script);
  return {
    actions,
    restart() {
      actions.length = 0;
    },
  };
}
