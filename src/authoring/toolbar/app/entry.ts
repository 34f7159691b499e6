import type { DevToolbarApp } from 'astro';
import type { ToolbarApp } from './open-app.ts';
import { readMemory, remember } from './tab-memory.ts';

/** The app of Astro's toolbar. Pages load this file alone until an author opens the app. */
const mediaAssets: DevToolbarApp = {
  init(canvas, app, server) {
    let opened: Promise<ToolbarApp> | undefined;
    app.onToggled(async ({ state }) => {
      // Before the rest loads: the page can reload meanwhile.
      remember({ isOpen: state });
      if (!state && opened === undefined) return;
      opened ??= import('./open-app.ts').then(({ openApp }) =>
        openApp(canvas, { server, close: () => app.toggleState({ state: false }) }),
      );
      const { toggle } = await opened;
      toggle(state);
    });
    // The toolbar opens apps only after `init` has returned.
    if (readMemory().isOpen) setTimeout(() => app.toggleState({ state: true }));
  },
};

export default mediaAssets;
