import type { LanguagesOfFile } from '../../assets/records/rights-guard.ts';
import type { Language } from '../../config/languages.ts';
import type { BuiltFile } from '../../scan/read-output.ts';
import type { SiteBuild } from './build-notes.ts';

/** The languages of built files. A stylesheet has those of its pages, or all if one is unknown. */
export function languagesOfFiles(
  { languages, unscanned }: SiteBuild,
  files: readonly BuiltFile[],
): LanguagesOfFile {
  const loaded = new Map<string, Set<Language>>();
  const isWhole = unscanned.routes.length + unscanned.islands.length === 0;
  for (const { usage, stylesheets } of isWhole ? files.flatMap(({ scan }) => scan ?? []) : []) {
    const own = languages.each(languages.ofPage(usage.page));
    for (const file of stylesheets)
      loaded.set(file, new Set([...own, ...(loaded.get(file) ?? [])]));
  }
  const known = new Map(files.map(({ file, page }) => [page, languages.ofFile(file)]));
  return (name) => {
    const own = name.endsWith('.css') ? languages.all : known.get(name);
    const all = loaded.has(name) ? [...(loaded.get(name) ?? [])] : own;
    // Pages with server islands can have asked under another name.
    return (all ?? languages.each(languages.ofPage(name))) as ReturnType<LanguagesOfFile>;
  };
}
