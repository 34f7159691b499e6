import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader } from 'astro/loaders';
import { docsFolder } from './docs-folder.ts';
import { errorsPath } from './load-docs.ts';

/** Each code of the errors page, as an entry of its own. */
export function loadErrors(): Loader {
  return {
    name: 'errors',
    async load({ store, renderMarkdown }) {
      const fileURL = pathToFileURL(join(docsFolder, `${errorsPath}.md`));
      store.clear();
      let group = '';
      for (const section of (await readFile(fileURL, 'utf8')).split(/^(?=##)/m)) {
        const [, level, name = ''] = /^(##+) (.+)$/m.exec(section) ?? [];
        if (level === '##') group = name;
        if (level !== '###') continue;
        // Four spaces before the message make it code.
        const body = section.slice(section.indexOf('\n')).replace(/^\n+/, '');
        const rendered = await renderMarkdown(body, { fileURL });
        store.set({ id: name, data: { group }, body, rendered });
      }
    },
  };
}
