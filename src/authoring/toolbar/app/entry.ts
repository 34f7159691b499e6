import type { DevToolbarApp } from 'astro';
import type { ToolbarApp } from './open-app.ts';
import type { Connection } from './session.ts';
import { readMemory } from './tab-memory.ts';

/** The app of Astro's toolbar. Pages load this file alone until an author opens the app. */
const mediaAssets: DevToolbarApp = {
  init(canvas, app, server) {
    const connection = new Promise<Connection>((resolve) => {
      server.on('astro-media-asset:session', resolve);
    });
    let opened: Promise<ToolbarApp> | undefined;
    app.onToggled(async ({ state }) => {
      if (!state && opened === undefined) return;
      if (opened === undefined) {
        server.send('astro-media-asset:hello', {});
        opened = import('./open-app.ts').then(({ openApp }) =>
          openApp(canvas, { connection, server, close: () => app.toggleState({ state: false }) }),
        );
      }
      const { toggle } = await opened;
      toggle(state);
    });
    // The toolbar opens apps only after `init` has returned.
    if (readMemory().isOpen) setTimeout(() => app.toggleState({ state: true }));
  },
};

export default mediaAssets;
