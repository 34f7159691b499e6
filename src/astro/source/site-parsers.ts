import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mediaAssetError } from '../../errors/errors.ts';

/** A node of ESTree or mdast. Offsets are in UTF-16 code units. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

interface Compiler {
  parse(text: string): { readonly ast: unknown };
}

interface MarkdownParser {
  markdownToMdast(text: string): unknown;
  mdxToMdast(text: string): unknown;
}

/**
 * The compiler of the site's own Astro, which gives a syntax tree since Astro 7.
 *
 * @throws `source-unreadable` with older versions
 */
export function loadCompiler(root: string, file: string): Promise<Compiler> {
  return load(['@astrojs/compiler-rs'], root, file) as Promise<Compiler>;
}

/** The Markdown parser of the site's own Astro, since Astro 7. @throws `source-unreadable` */
export function loadMarkdownParser(root: string, file: string): Promise<MarkdownParser> {
  const way = ['@astrojs/markdown-satteri', 'satteri'];
  return load(way, root, file) as Promise<MarkdownParser>;
}

/** Imports the last package, each found from the one before it, starting at Astro. */
async function load(way: readonly string[], root: string, file: string): Promise<unknown> {
  let from = createRequire(join(root, 'package.json')).resolve('astro/package.json');
  try {
    for (const name of way) from = createRequire(from).resolve(name);
  } catch (cause) {
    const reason = 'this version of Astro has no parser for it';
    throw mediaAssetError('source-unreadable', { file, reason }, { cause });
  }
  return import(pathToFileURL(from).href);
}

/** All nodes of a syntax tree, parents first. */
export function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') yield value as SyntaxNode;
  for (const child of Object.values(value)) yield* nodesOf(child);
}
