import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { isMediaAssetError, type MediaAssetError } from '../../errors/errors.ts';
import type { Place } from '../../errors/place.ts';
import { unsafe } from '../source/edit/assert-only-changed.ts';
import { lineEnd } from '../source/edit/write-value.ts';
import {
  codeExtensions,
  encodeSource,
  readSourceFile,
  type SourceText,
  writeSourceFile,
} from '../source/source-file.ts';
import { applyEdits, type Edit, type SourceFile } from '../source/source-text.ts';
import { type Node, nodesOf, parseAstro, statementsOf } from '../source/tag-places.ts';
import { astroImages } from './astro-images.ts';
import { contentImages } from './content-images.ts';
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
