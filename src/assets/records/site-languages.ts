/** The languages of a site, as `i18n` in the Astro config has them. */
export interface SiteLanguages {
  readonly locales?:
    | readonly (string | { readonly path: string; readonly codes: readonly string[] })[]
    | undefined;
  /** The language of requests and pages without one. */
  readonly defaultLocale?: string | undefined;
}

/** The first of these folders that is one of the site's locales, as in `Astro.currentLocale`. */
export function localeAmong(
  folders: readonly string[],
  { locales = [] }: SiteLanguages,
): string | undefined {
  for (const folder of folders) {
    const found = locales.find((locale) =>
      typeof locale === 'string'
        ? locale.toLowerCase() === folder.toLowerCase()
        : locale.path === folder,
    );
    if (found) return typeof found === 'string' ? found : found.codes[0];
  }
  return undefined;
}

/** The language of a page. @param page its URL or path */
export function localeOfPage(page: string, languages: SiteLanguages): string | undefined {
  const path = page.replace(/(?:\/index)?\.html$/, '');
  return localeAmong(path.split('/'), languages) ?? languages.defaultLocale;
}
