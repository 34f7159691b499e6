import { ofLanguage } from '../../config/languages.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { didYouMean } from '../../errors/wording.ts';
import { sourceTypes } from '../formats/source-types.ts';

/** The text for a digital source type in a language; `undefined` if nothing is to be shown. */
export type SourceLabel = (type: string | undefined, locale: string) => string | undefined;

/** Checks the option `sourceLabels`: texts by type, or by type and language. */
export function readSourceLabels(
  labels: Readonly<Record<string, string | Readonly<Record<string, string>>>>,
  main: string,
): SourceLabel {
  const problems = Object.keys(labels)
    .filter((type) => !sourceTypes.includes(type))
    .map((type) => `sourceLabels.${type}: unknown type.${didYouMean(type, sourceTypes)}`);
  if (problems.length > 0) throw mediaAssetError('options-invalid', { problems });
  return (type = '', locale) => {
    const texts = Object.hasOwn(labels, type) ? labels[type] : undefined;
    if (typeof texts !== 'object') return texts;
    // A label in another language is better than none.
    return ofLanguage(texts, locale) ?? ofLanguage(texts, main) ?? Object.values(texts)[0];
  };
}
