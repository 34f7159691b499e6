import { mediaAssetError } from '../../errors/errors.ts';
import type { FoundPlace } from './found-place.ts';
import { jsxPlaces } from './jsx-places.ts';
import type { Node } from './literal-value.ts';
import { loadFromAstro } from './site-parsers.ts';
import { componentNames } from './tag-place.ts';

interface Parsed {
  readonly ast: Node & { readonly frontmatter: { readonly program: Node } | null };
  readonly diagnostics: readonly { readonly severity: string; readonly text: string }[];
}

interface Compiler {
  parse(text: string): Parsed;
}

/**
 * The `<MediaAsset>` tags of an `.astro` file with literal IDs.
 *
 * @throws `source-unreadable`
 */
export async function astroPlaces(file: { path: string; text: string }): Promise<FoundPlace[]> {
  const { ast } = await parseAstro(file);
  const isComponent = componentNames(ast.frontmatter?.program.body as readonly Node[]);
  return jsxPlaces(file, ast, isComponent);
}

/** @throws `source-unreadable` */
export async function parseAstro({ path, text }: { path: string; text: string }): Promise<Parsed> {
  const compiler = await loadFromAstro<Compiler>(['@astrojs/compiler-rs'], path);
  const parsed = compiler.parse(text);
  const wrong = parsed.diagnostics.find(({ severity }) => severity === 'error');
  if (wrong) throw mediaAssetError('source-unreadable', { file: path, reason: wrong.text });
  return parsed;
}
