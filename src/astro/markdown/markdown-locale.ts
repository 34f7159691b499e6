import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import { localeAmong } from '../../assets/records/site-languages.ts';

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
  const folders = relative(fileURLToPath(root), file).split(sep).slice(0, -1);
  return localeAmong(folders.reverse(), i18n);
}
