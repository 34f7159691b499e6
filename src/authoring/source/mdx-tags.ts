import { isMediaAssetError } from '../../errors/errors.ts';
import { parseAstro } from './astro-places.ts';
import type { FoundPlace } from './found-place.ts';
import { jsxPlaces } from './jsx-places.ts';
import type { Node } from './literal-value.ts';
import type { Range } from './range.ts';
import { componentNames } from './tag-place.ts';

/** The parts of an MDX file that are code. */
export interface MdxCode {
  /** The `import` and `export` statements. */
  readonly modules: readonly string[];
  readonly elements: readonly (Range & { readonly name: string })[];
}

/**
 * The `<MediaAsset>` tags of an MDX file with literal IDs. Astro's compiler reads them: in MDX, a tag is
 * written as in an `.astro` file. A tag in a quote, with a `>` in each line, isn't found.
 *
 * @throws `source-unreadable`
 */
export async function mdxTags(
  file: { readonly path: string; readonly text: string },
  { modules, elements }: MdxCode,
): Promise<FoundPlace[]> {
  const { path, text } = file;
  const { frontmatter } = await parseAstro({ path, text: `---\n${modules.join('\n')}\n---\n` });
  const statements = (frontmatter?.program.body ?? []) as readonly Node[];
  const isImported = componentNames(statements);
  const declared = new Set(statements.flatMap(importedNames));
  // A page can pass the component to `<Content components={{ MediaAsset }} />`.
  const isComponent = (tag: string) =>
    isImported(tag) || (tag === 'MediaAsset' && !declared.has(tag));
  const found: FoundPlace[] = [];
  for (const { name, start, end } of elements) {
    if (!isComponent(name)) continue;
    // With spaces before it, all offsets stay.
    const alone = ' '.repeat(start) + text.slice(start, end);
    const tree = await parseAstro({ path, text: alone }).catch(ignoreUnreadable);
    const places = tree ? jsxPlaces(file, tree, isComponent) : [];
    found.push(...places.filter((place) => place.start === start));
  }
  return found;
}

function ignoreUnreadable(thrown: unknown): undefined {
  if (!isMediaAssetError(thrown, 'source-unreadable')) throw thrown;
  return undefined;
}

function importedNames({ specifiers }: Node): string[] {
  return ((specifiers ?? []) as readonly Node[]).map(({ local }) => String((local as Node).name));
}
