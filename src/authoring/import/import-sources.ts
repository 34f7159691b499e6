import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { isMediaAssetError, type MediaAssetError } from '../../errors/errors.ts';
import type { Place } from '../../errors/place.ts';
import { unsafe } from '../source/edit/assert-only-changed.ts';
import {
  codeExtensions,
  encodeSource,
  readSourceFile,
  type SourceText,
  writeSourceFile,
} from '../source/source-file.ts';
import { applyEdits, type Edit } from '../source/source-text.ts';
import { astroImages } from './astro-images.ts';
import { contentConfigEdits } from './content-config.ts';
import { dataImages } from './data-images.ts';
import type { LocalImage, ResolveImage } from './local-image.ts';
import { markdownImages } from './markdown-images.ts';

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
  const sources: SourceText[] = [];
  const unread = (file: string) => (error: unknown) => {
    if (!isMediaAssetError(error)) throw error;
    left.push({ place: error.place ?? { file }, problem: error.message.replace(/\.$/, '') });
    return undefined;
  };
  for (const name of names.sort()) {
    const source = await readSourceFile(root, name).catch(unread(name));
    if (source) sources.push(source);
  }
  const content = sources.filter(({ file }) => !file.endsWith('.astro'));
  for (const source of content) {
    const file = { path: source.file, text: source.text };
    const images = await imagesOfContent(file, resolve).catch(unread(source.file));
    if (images && images.length > 0) files.push({ source, images, others: [] });
  }
  const fields = new Set(files.flatMap(({ images }) => images.flatMap(({ field }) => field ?? [])));
  for (const source of sources.filter(({ file }) => file.endsWith('.astro'))) {
    const file = { path: source.file, text: source.text };
    const found = await astroImages(file, { resolve, fields }).catch(unread(source.file));
    if (!found) continue;
    const { images, others } = found;
    if (images.length + others.length > 0) files.push({ source, images, others });
    const problem = 'another component or code gets the image';
    left.push(...found.left.map((place) => ({ place, problem })));
  }
  const config = fields.size > 0 && contentConfigs.find((name) => existsSync(join(root, name)));
  if (config) {
    const source = await readSourceFile(root, config, codeExtensions);
    const file = { path: config, text: source.text };
    const { edits, missing } = await contentConfigEdits(file, fields);
    if (edits.length > 0) files.push({ source, images: [], others: edits });
    for (const field of missing)
      left.push({ place: { file: config }, problem: `no schema has the field ${field}` });
  }
  const images = files.flatMap((file) => file.images);
  for (const { place, edits } of images)
    if (typeof edits === 'string') left.push({ place, problem: edits });
  return { images, left, files };
}

async function imagesOfContent(
  file: { path: string; text: string },
  resolve: ResolveImage,
): Promise<LocalImage[]> {
  const isMarkdown = /\.mdx?$/i.test(file.path);
  return [...dataImages(file, resolve), ...(isMarkdown ? await markdownImages(file, resolve) : [])];
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
      await assertChanged({ path: source.file, text }, paths, resolve);
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
  file: { path: string; text: string },
  changed: ReadonlySet<string>,
  resolve: ResolveImage,
): Promise<void> {
  if (codeExtensions.some((ending) => file.path.endsWith(ending))) {
    await contentConfigEdits(file, new Set());
    return;
  }
  const images = file.path.endsWith('.astro')
    ? (await astroImages(file, { resolve, fields: new Set() })).images
    : await imagesOfContent(file, resolve);
  const left = images.find(({ path, edits }) => typeof edits !== 'string' && changed.has(path));
  if (left) throw unsafe({ file: file.path, line: left.place.line ?? 1 });
}
