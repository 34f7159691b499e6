import { relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the Markdown files. `scripts/check.ts` builds a copy of it too. */
export const docsFolder = resolve(
  fileURLToPath(new URL('../..', import.meta.url)),
  process.env.WEBSITE_DOCS ?? '../docs',
);

/** The path of a file in that folder, such as `guides/images.md`; `undefined` for other files. */
export function pathInDocs(file: URL | undefined): string | undefined {
  const path = file && relative(docsFolder, fileURLToPath(file)).split(sep).join('/');
  return path?.startsWith('../') ? undefined : path;
}
