import type { DevToolbarApp } from 'astro';
import { defineToolbarApp } from 'astro/toolbar';

type App = { show(isOpen: boolean): void };

/** The app stays open when the page reloads, as it does after a save. */
const openKey = 'astro-media-asset.open';

/** Astro loads this with each page in dev. The rest is loaded when the app is opened. */
const toolbarApp: DevToolbarApp = defineToolbarApp({
  init(canvas, app, server) {
    let opened: Promise<App> | undefined;
    app.onToggled(async ({ state }) => {
      if (state) sessionStorage.setItem(openKey, 'true');
      else sessionStorage.removeItem(openKey);
      if (!state && !opened) return;
      opened ??= import('./open-app.ts').then(({ openApp }) =>
        openApp({ canvas, server, close: () => app.toggleState({ state: false }) }),
      );
      (await opened).show(state);
    });
    if (sessionStorage.getItem(openKey)) app.toggleState({ state: true });
  },
});

export default toolbarApp;
