import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { isMediaAssetError, type MediaAssetError } from '../../errors/errors.ts';
import type { Place } from '../../errors/place.ts';
import { type DataNode, readData } from '../source/data-node.ts';
import { unsafe } from '../source/edit/assert-only-changed.ts';
import { lineEnd } from '../source/edit/write-value.ts';
import { allNodes, type MarkdownNode, parseMarkdown, urlIn } from '../source/markdown-places.ts';
import {
  codeExtensions,
  encodeSource,
  readSourceFile,
  type SourceText,
  writeSourceFile,
} from '../source/source-file.ts';
import {
  applyEdits,
  type Edit,
  isMarkdown,
  placeAt,
  type SourceFile,
} from '../source/source-text.ts';
import { type Node, nodesOf, parseAstro, statementsOf } from '../source/tag-places.ts';
import { type AssetField, isAt } from './asset-fields.ts';
import { astroImages } from './astro-images.ts';
import type { LocalImage, ResolveImage } from './local-images.ts';

/** What the sources of a project have of the images to import. */
export interface ImportPlan {
  readonly images: readonly LocalImage[];
  /** Places that only a person can change, and why. */
  readonly left: readonly { readonly place: Place; readonly problem: string }[];
  /** The files that change. */
  readonly files: readonly PlannedFile[];
}

interface PlannedFile {
  readonly source: SourceText;
  readonly images: readonly LocalImage[];
  readonly others: readonly Edit[];
}

const contentConfigs = ['ts', 'mts', 'js', 'mjs'].flatMap((ending) => [
  `src/content.config.${ending}`,
  `src/content/config.${ending}`,
]);

/** Finds local images in the sources below `src` of a project. Reads only. */
export async function planImport(root: string, resolve: ResolveImage): Promise<ImportPlan> {
  const names = await fastGlob('src/**/*.{astro,md,mdx,yaml,yml,json}', {
    cwd: root,
    followSymbolicLinks: false,
  });
  const files: PlannedFile[] = [];
  const left: { place: Place; problem: string }[] = [];
  const templates: SourceText[] = [];
  const unread = (file: string) => (error: unknown) => {
    if (!isMediaAssetError(error)) throw error;
    left.push({ place: error.place ?? { file }, problem: error.message.replace(/\.$/, '') });
    return undefined;
  };
  for (const name of names.sort()) {
    const source = await readSourceFile(root, name).catch(unread(name));
    if (source && name.endsWith('.astro')) templates.push(source);
    else if (source) {
      const images = (await contentImages(source, resolve).catch(unread(name))) ?? [];
      if (images.length > 0) files.push({ source, images, others: [] });
    }
  }
  const fields = files.flatMap(({ source: { file }, images }) =>
    images.flatMap(({ field: path }) => (path === undefined ? [] : { file, path })),
  );
  for (const source of templates) {
    const found = await astroImages(source, { resolve, fields }).catch(unread(source.file));
    if (!found) continue;
    const { images, others } = found;
    if (images.length + others.length > 0) files.push({ source, images, others });
    const problem = 'another component or code gets the image';
    left.push(...found.left.map((place) => ({ place, problem })));
  }
  const config = fields.length > 0 && contentConfigs.find((name) => existsSync(join(root, name)));
  if (config) {
    const source = await readSourceFile(root, config, codeExtensions);
    const { edits, problems } = await contentConfigEdits(source, fields);
    if (edits.length > 0) files.push({ source, images: [], others: edits });
    left.push(...problems.map((problem) => ({ place: { file: config }, problem })));
  }
  const images = files.flatMap((file) => file.images);
  for (const { place, edits } of images)
    if (typeof edits === 'string') left.push({ place, problem: edits });
  return { images, left, files };
}

/**
 * Writes the assets' IDs into the files of a plan. A file with an image that has no ID stays as it is.
 *
 * @returns the written files, and those that couldn't be written
 */
export async function writeImport(
  { files }: ImportPlan,
  { ids, resolve }: { ids: ReadonlyMap<string, number>; resolve: ResolveImage },
): Promise<{ written: string[]; failed: MediaAssetError[] }> {
  const written: string[] = [];
  const failed: MediaAssetError[] = [];
  for (const { source, images, others } of files) {
    const changed = images.filter(({ edits }) => typeof edits !== 'string');
    if (changed.some(({ path }) => !ids.has(path))) continue;
    const edits = changed.flatMap(({ path, edits }) =>
      typeof edits === 'string' ? [] : edits(ids.get(path) as number),
    );
    const text = applyEdits(source.text, [...edits, ...others]);
    if (text === source.text) continue;
    try {
      const paths = new Set(changed.map(({ path }) => path));
      await assertChanged({ file: source.file, text }, paths, resolve);
      await writeSourceFile(source, encodeSource(text, source), { line: 1 });
      written.push(source.file);
    } catch (thrown) {
      if (!isMediaAssetError(thrown)) throw thrown;
      failed.push(thrown);
    }
  }
  return { written, failed };
}

/** The new text is parsed again, and names none of the images that it named before. */
async function assertChanged(
  source: SourceFile,
  changed: ReadonlySet<string>,
  resolve: ResolveImage,
): Promise<void> {
  const { file } = source;
  if (codeExtensions.some((ending) => file.endsWith(ending))) {
    await contentConfigEdits(source, []);
    return;
  }
  const images = file.endsWith('.astro')
    ? (await astroImages(source, { resolve, fields: [] })).images
    : await contentImages(source, resolve);
  const left = images.find(({ path, edits }) => typeof edits !== 'string' && changed.has(path));
  if (left) throw unsafe({ file, line: left.place.line ?? 1 });
}

const fence = '---\n';

/**
 * Makes fields of a content config's schemas assets: `image()`, and a `z.string()` that no other schema
 * has too, become `mediaAsset()`.
 *
 * @returns the edits, and the fields that a person has to change
 */
async function contentConfigEdits(
  { file, text }: SourceFile,
  fields: readonly AssetField[],
): Promise<{ edits: readonly Edit[]; problems: readonly string[] }> {
  // The parser of `.astro` files reads TypeScript between its fences.
  const tree = await parseAstro({ file, text: `${fence}${text}\n---\n` });
  const properties = nodesOf(tree, 'Property');
  /** The keys of a property, below its schema. */
  const pathOf = ({ start, end }: Node) => {
    const around = properties.filter((one) => one.start <= start && end <= one.end);
    const names = around.map(({ key }) => String((key as Node).name ?? (key as Node).value));
    return names.slice(names.lastIndexOf('schema') + 1).join('.');
  };
  const named = Map.groupBy(properties, pathOf);
  const paths = [...named.keys()].filter((path) => fields.some((field) => isAt(field, path)));
  const missing = fields.filter((field) => !paths.some((path) => isAt(field, path)));
  const problems = missing.map(({ path }) => `no schema has the field ${path}`);
  const edits = paths.flatMap((path): Edit[] => {
    const found = named.get(path) ?? [];
    const calls = found.flatMap(
      ({ value }) => nodesOf(value, 'CallExpression').find(isField) ?? [],
    );
    const changed =
      found.length > 1
        ? calls.filter(({ callee }) => (callee as Node).type === 'Identifier')
        : calls;
    if (changed.length < found.length) problems.push(`a schema has another kind of field ${path}`);
    return changed.map(({ start, end }) => ({
      start: start - fence.length,
      end: end - fence.length,
      text: 'mediaAsset()',
    }));
  });
  const isImported = /from\s+['"]astro-media-asset\/schema['"]/.test(text);
  const last = statementsOf(tree).findLast(({ type }) => type === 'ImportDeclaration');
  const at = last ? last.end - fence.length : 0;
  const line = "import { mediaAsset } from 'astro-media-asset/schema';";
  const end = lineEnd(text);
  const own = { start: at, end: at, text: last ? end + line : line + end };
  return {
    edits: edits.length === 0 || isImported ? edits : [...edits, own],
    problems: [...new Set(problems)],
  };
}

/** `image()` or `z.string()`. */
function isField({ callee, arguments: given }: Node): boolean {
  const { type, name, property } = callee as Node;
  if ((given as readonly unknown[]).length > 0) return false;
  return type === 'Identifier'
    ? name === 'image'
    : (property as Node | undefined)?.name === 'string';
}

/** The local images in data, frontmatter, Markdown and MDX. */
async function contentImages(source: SourceFile, resolve: ResolveImage): Promise<LocalImage[]> {
  const inData = dataImages(source, resolve);
  return isMarkdown(source.file) ? [...inData, ...(await markdownImages(source, resolve))] : inData;
}

function dataImages(source: SourceFile, resolve: ResolveImage): LocalImage[] {
  const key = /\.json$/i.test(source.file) ? '"id"' : 'id';
  const imagesIn = (
    { literal, entries, items = [], start, end }: DataNode,
    around: { keys: readonly string[]; siblings: Readonly<Record<string, unknown>> },
  ): LocalImage[] => {
    if (entries) {
      const siblings = Object.fromEntries(
        entries.map(({ name, value }) => [name, value.literal?.value]),
      );
      return entries.flatMap(({ name, value }) =>
        imagesIn(value, { keys: [...around.keys, name], siblings }),
      );
    }
    const path = typeof literal?.value === 'string' && resolve(source.file, literal.value);
    if (!path) return items.flatMap((item) => imagesIn(item, around));
    const { keys, siblings } = around;
    const name = keys.at(-1);
    const alt = [siblings[`${name}Alt`], siblings[`${name}_alt`], siblings.alt].find(
      (text) => typeof text === 'string' && text !== '',
    );
    const edits = /[!&]\S*[ \t]+$/.test(source.text.slice(0, start))
      ? 'the value has a tag or an anchor of YAML'
      : (id: number) => [{ start, end, text: `{ ${key}: ${id} }` }];
    const field = name === undefined ? undefined : keys.join('.');
    const place = placeAt(source, start);
    return [{ place, path, alt: alt as string | undefined, field, edits }];
  };
  const root = readData(source);
  return root ? imagesIn(root, { keys: [], siblings: {} }) : [];
}

/** The local images of a Markdown or MDX file, and of the definitions of its reference images. */
async function markdownImages(source: SourceFile, resolve: ResolveImage): Promise<LocalImage[]> {
  const { file, text } = source;
  const nodes = allNodes(await parseMarkdown(source));
  const references = nodes.filter(({ type }) => type === 'imageReference');
  const links = nodes.filter(({ type }) => type === 'linkReference');
  return nodes.flatMap((node): LocalImage[] => {
    const start = node.position.start.offset;
    const place = placeAt(source, start);
    if (node.type !== 'image' && node.type !== 'definition') {
      const found = codeSources(node).flatMap((url) => resolve(file, url) ?? []);
      return found.map((path) => ({ place, path, alt: undefined, edits: "it's in code or HTML" }));
    }
    const url = String(node.url);
    const path = resolve(file, url);
    const range = urlIn(text.slice(start, node.position.end.offset), url);
    if (!path) return [];
    const isOwn = ({ identifier }: MarkdownNode) => identifier === node.identifier;
    const own = references.filter(isOwn);
    if (node.type === 'definition' && own.length === 0) return [];
    const texts = node.type === 'definition' ? own.map(({ alt }) => alt) : [node.alt];
    const alt = texts.find(Boolean) ?? undefined;
    if (node.type === 'definition' && links.some(isOwn))
      return [{ place, path, alt, edits: 'a link has the same address' }];
    if (!range) return [{ place, path, alt, edits: "its address isn't written plainly" }];
    const at = { start: start + range.start, end: start + range.end };
    const decoration = texts.every(Boolean) ? '' : '?decoration';
    return [{ place, path, alt, edits: (id) => [{ ...at, text: `media:${id}${decoration}` }] }];
  });
}

/** What HTML tags and the imports of MDX name, which only a person can replace. */
function codeSources({ type, value }: MarkdownNode): string[] {
  const pattern = /<img\s[^>]*?src\s*=\s*["']([^"']+)|^import\s[^'"]*["']([^"']+)/gim;
  if (type !== 'html' && type !== 'mdxjsEsm') return [];
  return Array.from(
    String(value).matchAll(pattern),
    ([, source, imported]) => source ?? imported ?? '',
  );
}
