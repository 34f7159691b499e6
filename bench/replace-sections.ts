/**
 * Replaces sections of a Markdown text. A section starts with `## ` and a name. New sections are
 * added, and those without a known name are removed.
 *
 * @param sections by name, each with its heading
 * @param names all known names, in their order
 */
export function replaceSections(
  text: string,
  sections: ReadonlyMap<string, string>,
  names: readonly string[],
): string {
  const [title = '', ...old] = text.split(/^## /m).map((part) => part.trim());
  const known = new Map(old.map((part) => [part.split('\n')[0], `## ${part}`]));
  const parts = names.flatMap((name) => sections.get(name) ?? known.get(name) ?? []);
  return `${[title, ...parts].join('\n\n')}\n`;
}
