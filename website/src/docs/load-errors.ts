import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader } from 'astro/loaders';
import { docsFolder } from './docs-folder.ts';
import { errorsPath } from './load-docs.ts';

/** The first lines after four spaces. */
const message = /^ {4}.*(?:\n {4}.*)*/m;

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
        // Four spaces make the message code. It's a sentence, so its lines wrap.
        const body = section.slice(section.indexOf('\n')).replace(message, (lines) => {
          return `\`\`\`txt wrap\n${lines.replace(/^ {4}/gm, '')}\n\`\`\``;
        });
        const rendered = await renderMarkdown(body, { fileURL });
        store.set({ id: name, data: { group }, body, rendered });
      }
    },
  };
}
