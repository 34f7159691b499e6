/**
 * A Markdown text with some of its sections replaced, which begin with `## ` and a name; those that
 * it has not are added, and those of no known name go.
 *
 * @param sections by name, each with its heading
 * @param names all of them, in their order
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
