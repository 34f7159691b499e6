import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the Markdown files, from the website's root. `scripts/check.ts` builds a copy of it too. */
export const docsFolder = process.env.WEBSITE_DOCS ?? '../docs';

/** The path of a file in that folder, such as `guides/images.md`; `undefined` for other files. */
export function pathInDocs(file: URL | undefined): string | undefined {
  const root = fileURLToPath(new URL(`../../${docsFolder}/`, import.meta.url));
  const path = file && relative(root, fileURLToPath(file)).split(sep).join('/');
  return path?.startsWith('../') ? undefined : path;
}
