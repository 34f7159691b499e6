import { decodePath } from '../errors/decode-path.ts';

declare const brand: unique symbol;

/** The language of a page: a code of the site's. `''` is a site without languages. */
export type Language = string & { readonly [brand]: true };

export type Languages = readonly [Language, ...Language[]];

/** For commands and the toolbar, and for calls whose page isn't known. */
export const onNoPage = 'on no page';

/** Where an asset is to be shown: in each of these languages, or on no page that is known. */
export type ShownIn = Languages | typeof onNoPage;

/** The languages of one use of an asset. */
export interface InLanguages {
  /** Where it's to be shown: the language of its page decides about its rights. */
  readonly shownIn: ShownIn;
  /** The language of alt text, credit and label; `''` on a site without languages. */
  readonly texts: string;
}

/** `i18n` in the Astro config. */
export interface I18n {
  readonly locales: readonly (
    | string
    | { readonly path: string; readonly codes: readonly string[] }
  )[];
  readonly defaultLocale: string;
}

export type SiteLanguages = ReturnType<typeof siteLanguages>;

/**
 * The languages of a site. A page's language is the first segment of its path below `base`, if that's
 * the path or a code of a locale, or else the first code of the default locale. The router doesn't
 * matter, so this also holds with `routing: 'manual'`. Astro itself looks for a locale in all segments
 * and in route parameters, so `/blog/it/` would be Italian.
 */
export function siteLanguages({ i18n, base }: { i18n?: I18n | undefined; base: string }) {
  const { locales = [], defaultLocale = '' } = i18n ?? {};
  const known = locales.map((one) => {
    const { path, codes } = typeof one === 'string' ? { path: one, codes: [one] } : one;
    return { path, codes: codes as readonly Language[] };
  });
  const ofDefault = known.find(({ path }) => path === defaultLocale)?.codes[0];
  const main = ofDefault ?? (defaultLocale as Language);
  const others = known.flatMap(({ codes }) => codes).filter((code) => code !== main);
  const all: Languages = [main, ...new Set(others)];
  const root = base.split('/').filter(Boolean);

  /** @param name the path or a code of a locale */
  function named(name: string): Language | undefined {
    const ofPath = known.find(({ path }) => path === name)?.codes[0];
    return ofPath ?? all.find((code) => normalize(code) === normalize(name));
  }

  /** @param path below the base or the output folder */
  const inPath = (path: string) => named(path.split('/')[0]?.replace(/\.html$/, '') ?? '');

  /** The path of a page below the base; `undefined` for any other text. */
  function below(page: string): string | undefined {
    if (!/^(?:https?:\/)?\//.test(page)) return undefined;
    const { pathname } = new URL(page, 'http://localhost');
    const segments = decodePath(pathname).split('/').slice(1);
    const isBelow = root.every((segment, at) => segments[at] === segment);
    return isBelow ? segments.slice(root.length).join('/') : undefined;
  }

  function ofPage(page: string): ShownIn {
    const path = below(page);
    return path === undefined ? onNoPage : [inPath(path) ?? main];
  }

  /** Of a built file, by its path in the output. A feed, for example, can be in all languages. */
  function ofFile(file: string): Languages {
    const own = inPath(file);
    return own !== undefined || file.endsWith('.html') ? [own ?? main] : all;
  }

  return {
    /** The default language first. */
    all,
    /** All for what is on no page: any can be its language. */
    each: (shownIn: ShownIn) => (shownIn === onNoPage ? all : shownIn),
    /** Of what a person, a folder or an earlier build names, which can be any text. */
    ofName(name: string): ShownIn {
      const language = named(name);
      return language === undefined ? onNoPage : [language];
    },
    /** @param page its URL, or its path with the base */
    ofPage,
    ofFile,
    /** Of the page or file that a function call names, which can be any text. */
    ofCall(page: string): ShownIn {
      const path = below(page) ?? '';
      return /\.(?!html$)[a-z]\w*$/i.test(path) ? ofFile(path) : ofPage(page);
    },
  };
}

/** The value of a language: that of its code, or else of its first part, as `de` for `de-CH`. */
export function ofLanguage<T>(values: Readonly<Record<string, T>>, code: string): T | undefined {
  const [first] = normalize(code).split('-');
  const named = (name = '') => Object.entries(values).find(([one]) => normalize(one) === name)?.[1];
  return named(normalize(code)) ?? named(first);
}

/** As Astro compares codes. */
function normalize(code: string): string {
  return code.replaceAll('_', '-').toLowerCase();
}
