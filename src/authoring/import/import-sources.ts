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
  const fields = new Set(files.flatMap(({ images }) => images.flatMap(({ field }) => field ?? [])));
  for (const source of templates) {
    const found = await astroImages(source, { resolve, fields }).catch(unread(source.file));
    if (!found) continue;
    const { images, others } = found;
    if (images.length + others.length > 0) files.push({ source, images, others });
    const problem = 'another component or code gets the image';
    left.push(...found.left.map((place) => ({ place, problem })));
  }
  const config = fields.size > 0 && contentConfigs.find((name) => existsSync(join(root, name)));
  if (config) {
    const source = await readSourceFile(root, config, codeExtensions);
    const { edits, missing } = await contentConfigEdits(source, fields);
    if (edits.length > 0) files.push({ source, images: [], others: edits });
    for (const field of missing)
      left.push({ place: { file: config }, problem: `no schema has the field ${field}` });
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
  const none = new Set<string>();
  if (codeExtensions.some((ending) => file.endsWith(ending))) {
    await contentConfigEdits(source, none);
    return;
  }
  const images = file.endsWith('.astro')
    ? (await astroImages(source, { resolve, fields: none })).images
    : await contentImages(source, resolve);
  const left = images.find(({ path, edits }) => typeof edits !== 'string' && changed.has(path));
  if (left) throw unsafe({ file, line: left.place.line ?? 1 });
}

const fence = '---\n';

/**
 * Makes fields of a content config's schemas assets: `image()` and `z.string()` become `mediaAsset()`.
 *
 * @returns the edits, and the fields that no schema has
 */
async function contentConfigEdits(
  { file, text }: SourceFile,
  fields: ReadonlySet<string>,
): Promise<{ edits: readonly Edit[]; missing: readonly string[] }> {
  // The parser of `.astro` files reads TypeScript between its fences.
  const tree = await parseAstro({ file, text: `${fence}${text}\n---\n` });
  const found = new Set<string>();
  const edits = nodesOf(tree, 'Property').flatMap(({ key, value }): Edit[] => {
    const name = String((key as Node).name ?? (key as Node).value);
    const call = fields.has(name) && nodesOf(value, 'CallExpression').find(isImage);
    if (!call) return [];
    found.add(name);
    const start = call.start - fence.length;
    return [{ start, end: call.end - fence.length, text: 'mediaAsset()' }];
  });
  const isImported = /from\s+['"]astro-media-asset\/schema['"]/.test(text);
  const last = statementsOf(tree).findLast(({ type }) => type === 'ImportDeclaration');
  const at = last ? last.end - fence.length : 0;
  const line = "import { mediaAsset } from 'astro-media-asset/schema';";
  const end = lineEnd(text);
  const own = { start: at, end: at, text: last ? end + line : line + end };
  return {
    edits: edits.length === 0 || isImported ? edits : [...edits, own],
    missing: [...fields].filter((name) => !found.has(name)),
  };
}

/** `image()` or `z.string()`. */
function isImage({ callee, arguments: given }: Node): boolean {
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
    around: { field?: string; siblings: Readonly<Record<string, unknown>> },
  ): LocalImage[] => {
    if (entries) {
      const siblings = Object.fromEntries(
        entries.map(({ name, value }) => [name, value.literal?.value]),
      );
      return entries.flatMap(({ name, value }) => imagesIn(value, { field: name, siblings }));
    }
    const path = typeof literal?.value === 'string' && resolve(source.file, literal.value);
    if (!path) return items.flatMap((item) => imagesIn(item, around));
    const { field, siblings } = around;
    const alt = [siblings[`${field}Alt`], siblings[`${field}_alt`], siblings.alt].find(
      (text) => typeof text === 'string' && text !== '',
    );
    const edits = (id: number) => [{ start, end, text: `{ ${key}: ${id} }` }];
    const place = placeAt(source, start);
    return [{ place, path, alt: alt as string | undefined, field, edits }];
  };
  const root = readData(source);
  return root ? imagesIn(root, { siblings: {} }) : [];
}

/** The local images of a Markdown or MDX file, and of the definitions of its reference images. */
async function markdownImages(source: SourceFile, resolve: ResolveImage): Promise<LocalImage[]> {
  const { file, text } = source;
  const nodes = allNodes(await parseMarkdown(source));
  const references = nodes.filter(({ type }) => type === 'imageReference');
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
    if (!path || !range) return [];
    const own = references.filter(({ identifier }) => identifier === node.identifier);
    const texts = node.type === 'definition' ? own.map(({ alt }) => alt) : [node.alt];
    const alt = texts.find(Boolean) ?? undefined;
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
