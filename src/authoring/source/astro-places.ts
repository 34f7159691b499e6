import { mediaAssetError } from '../../errors/errors.ts';
import type { FoundPlace } from './found-place.ts';
import { jsxPlaces } from './jsx-places.ts';
import type { Node } from './literal-value.ts';
import { componentNames } from './tag-place.ts';

type AstroTree = Node & { readonly frontmatter: { readonly program: Node } | null };

/**
 * The `<MediaAsset>` tags of an `.astro` file with literal IDs.
 *
 * @throws `source-unreadable`
 */
export async function astroPlaces(file: { path: string; text: string }): Promise<FoundPlace[]> {
  const tree = await parseAstro(file);
  const isComponent = componentNames(tree.frontmatter?.program.body as readonly Node[]);
  return jsxPlaces(file, tree, isComponent);
}

/**
 * Parses with the compiler of Astro 7, which also reads files for older versions.
 *
 * @throws `source-unreadable`
 */
export async function parseAstro({
  path,
  text,
}: {
  path: string;
  text: string;
}): Promise<AstroTree> {
  const { parse } = await import('@astrojs/compiler-rs');
  const { ast, diagnostics } = parse(text);
  const wrong = diagnostics.find(({ severity }) => severity === 'error');
  if (wrong) throw mediaAssetError('source-unreadable', { file: path, reason: wrong.text });
  return ast as AstroTree;
}
