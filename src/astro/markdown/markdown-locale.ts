import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';

/**
 * The language of a Markdown file: the folder on its path that is one of the site's locales, such as
 * `de` in `src/content/blog/de/quay.md`. The page of an entry isn't known when its text is rendered.
 *
 * @param file an absolute path
 * @returns a code as in `Astro.currentLocale`; `undefined` if the path names none
 */
export function localeIn(
  file: string | undefined,
  { root, i18n }: Pick<AstroConfig, 'root' | 'i18n'>,
): string | undefined {
  if (file === undefined || !i18n) return undefined;
  const folders = relative(fileURLToPath(root), file).split(sep).slice(0, -1).reverse();
  for (const folder of folders) {
    const found = i18n.locales.find((locale) =>
      typeof locale === 'string'
        ? locale.toLowerCase() === folder.toLowerCase()
        : locale.path === folder,
    );
    if (found) return typeof found === 'string' ? found : found.codes[0];
  }
  return undefined;
}
