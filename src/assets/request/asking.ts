import {
  type InLanguages,
  onNoPage,
  type ShownIn,
  type SiteLanguages,
} from '../../config/languages.ts';
import type { AssetSubject } from '../../errors/place.ts';
import type { ComponentCall } from './check-props.ts';
import type { MediaCreditRequest } from './media-asset.ts';

/** Who asks for an asset, and in which language. */
export interface Asking extends AssetSubject, InLanguages {
  /** Set for an image in Markdown, whose column is narrow. */
  readonly inMarkdown?: true | undefined;
}

/**
 * Tells who asks with a request, whose `page` can be any name.
 *
 * @param asked.caller the function
 * @param asked.call of the component that asks, if it's one
 */
export function askingOf(
  { id, page: named, locale }: MediaCreditRequest,
  asked: { languages: SiteLanguages; caller: string; call?: ComponentCall | undefined },
): Asking {
  const { languages, caller, call } = asked;
  const page = call?.page ?? (named === undefined ? undefined : String(named));
  const shownIn = call ? languages.ofPage(call.page) : languages.ofCall(page ?? '');
  const text = call ? call.props.lang : locale;
  return { id, page, place: call?.place, caller, ...inLanguage(shownIn, text, languages) };
}

/**
 * Tells who asks in a Markdown file. Its pages aren't known when it's rendered, and are judged when they
 * are published. Until then, the innermost folder that names a language counts, such as `blog/de`.
 *
 * @param file its path; `undefined` for a text without a file
 */
export function askingInFile(
  subject: AssetSubject,
  file: string | undefined,
  languages: SiteLanguages,
): Asking {
  const folders = file?.split(/[\\/]/).slice(0, -1).reverse() ?? [];
  const named = folders.map(languages.ofName).find((shownIn) => shownIn !== onNoPage);
  return { ...subject, ...inLanguage(named ?? onNoPage, undefined, languages), inMarkdown: true };
}

/** @param locale the language of texts, if it isn't that of the page */
export function inLanguage(
  shownIn: ShownIn,
  locale: unknown,
  { all: [first] }: SiteLanguages,
): InLanguages {
  const own = shownIn === onNoPage ? first : shownIn[0];
  return { shownIn, texts: typeof locale === 'string' && locale !== '' ? locale : own };
}
