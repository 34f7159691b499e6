import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import fastGlob from 'fast-glob';
import { type Finding, isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { Place } from '../../errors/place.ts';
import { placeAt } from '../../errors/place.ts';
import { unsafe } from '../source/edit/assert-only-changed.ts';
import {
  assertWritable,
  encodeSource,
  readSourceFile,
  writeSourceFile,
} from '../source/source-file.ts';
import { applyEdits, frontmatterRange, isMarkdown } from '../source/source-text.ts';
import { readAstro } from './astro-images.ts';
import { loadedFrom, readCode, readConfig, readContent } from './content-images.ts';
import { type ImportFile, namedImages, type ProjectImages } from './local-images.ts';

/** What the sources of a project have of the images to import. */
type ImportPlan = Awaited<ReturnType<typeof planImport>>;

/** What only a person can change: a file that can't be read, a name that stays, what stops a field. */
interface LeftPlace extends Partial<Pick<Finding, 'code' | 'details'>> {
  readonly place: Place;
  readonly problem: string;
  /** The image, and the text that names its asset. */
  readonly path?: string;
  replacement?(id: number | '…'): string;
}

const code = 'astro,vue,svelte,tsx,jsx,ts,mts,cts,js,mjs,cjs';
const data = 'mdoc,yaml,yml,json,toml,csv';
const endings = `${code},${data},md,mdx,css,scss,sass,less,html,svg`;
const isOf = (kinds: string, file: string) => kinds.split(',').includes(extname(file).slice(1));

/** Code that names no single image. */
const imageGlobs = /\bimport\.meta\.glob\b[^)]*\b(?:avif|gif|jpe?g|png|tiff|webp)\b/g;

/** A component for the images of MDX, which gets an imported image or a path. */
const mdxComponents = /\b\w*omponents(?:\s*:[^=;]*)?\s*=\s*\{[^;}]*\bimg\b/g;

const contentConfig = /^src\/content(?:\.|\/)config\.m?[jt]s$/;

async function readFile(source: ImportFile['source'], project: ProjectImages, isOfSite = true) {
  const { file } = source;
  if (isOfSite && isMarkdown(file)) return readContent(source, project);
  if (isOfSite && file.endsWith('.astro')) return readAstro(source, project);
  if (contentConfig.test(file)) return readConfig(source);
  const isCode = isOf(code, file) && !file.startsWith('public/');
  return readCode(source, isCode || (isOfSite && isOf(data, file)));
}

/** Finds local images in the texts of a project. Reads only. What isn't of the site never changes. */
export async function planImport(root: string, project: ProjectImages) {
  const names = await fastGlob(`**/*.{${endings}}`, {
    cwd: root,
    followSymbolicLinks: false,
    ignore: ['{dist,build,out,**/node_modules}/**', '{media-import,public/manifest}.json', '*.md'],
  });
  const folders = ['src'];
  const isOfSite = (name: string) => folders.some((one) => `${name}/`.startsWith(`${one}/`));
  const sources: ImportFile[] = [];
  const unread: LeftPlace[] = [];
  // A config names folders of the site.
  const isLater = (name: string) => Number(!contentConfig.test(name));
  for (const name of names.sort().sort((a, b) => isLater(a) - isLater(b))) {
    try {
      const source = await readSourceFile(root, name, [extname(name)]);
      if (contentConfig.test(name)) folders.push(...loadedFrom(source));
      sources.push(await readFile(source, project, isOfSite(name)));
    } catch (thrown) {
      if (!isMediaAssetError(thrown)) throw thrown;
      const problem = thrown.message.replace(/\.$/, '');
      const { place = { file: name }, ...found } = thrown;
      unread.push({ place, problem, code: found.code, details: found.details });
    }
  }
  const { fields, stops } = planFields(sources);
  // A file that can't be read may be an entry or a reader.
  const changed = unread.some(({ place }) => isOfSite(place.file)) ? [] : fields;
  const matches = (pattern: RegExp, problem: string) =>
    sources.flatMap(({ source }) =>
      [...source.text.matchAll(pattern)].map(({ index }): LeftPlace => {
        return { place: placeAt(source, index), problem };
      }),
    );
  stops.push(...matches(imageGlobs, 'loads images by a pattern'));
  const mdx = matches(mdxComponents, 'stops the images in MDX');
  const files = sources.map(({ source, changes }) => {
    const { images, edits } = changes(changed, mdx.length > 0);
    const ranges = [...images, ...edits];
    const left = namedImages(source, project).filter(
      (name) => !ranges.some(({ start, end }) => start <= name.start && name.end <= end),
    );
    return { source, images, edits, left };
  });
  const left = files.flatMap(({ source, left }) =>
    left.map(({ path, start }) => leftPlace(source, path, start)),
  );
  return {
    names: files.flatMap(({ images, left }) => [...images, ...left]),
    /** The files that change. */
    files: files.filter(({ images, edits }) => images.length + edits.length > 0),
    left: [...unread, ...left, ...stops, ...mdx],
  };
}

/**
 * Decides which `image()` fields become assets: those that name an image to import in each entry that
 * has them, and that everything else reads in a plain way.
 */
function planFields(sources: readonly ImportFile[]) {
  const fields: string[] = [];
  const stops: LeftPlace[] = [];
  const configs = sources.filter(({ source }) => contentConfig.test(source.file));
  for (const field of new Set(sources.flatMap(({ fields = [] }) => fields))) {
    const isDeclared = configs.some(({ changes }) => changes([field]).edits.length > 0);
    const places = (isDeclared ? sources : configs).flatMap(({ others }) => others(field));
    stops.push(...places.map((place) => ({ place, problem: `stops the field ${field}` })));
    if (isDeclared && places.length === 0) fields.push(field);
  }
  return { fields, stops };
}

function leftPlace(source: ImportFile['source'], path: string, start: number): LeftPlace {
  const { file, text } = source;
  const inMatter = start < (frontmatterRange(text)?.end ?? 0);
  const isData = (isMarkdown(file) && inMatter) || isOf(data, file);
  const isTag = inMatter ? /\bfrom\s*$/ : /\ssrc=\{?$/;
  const isUrl = !file.endsWith('.astro') || !isTag.test(text.slice(0, start));
  const [before, after] = isData
    ? [file.endsWith('.json') ? '{ "id": ' : '{ id: ', ' }']
    : isMarkdown(file)
      ? ['![…](media:', ')']
      : isUrl
        ? ['getMediaAsset({ id: ', ", alt: '…' })"]
        : ['<MediaAsset id={', '} alt="…" />'];
  const problem = isData
    ? 'code can read this value'
    : isOf('jsx,svelte,tsx,vue', file)
      ? 'a page can pass it to the component'
      : "it's in HTML or code";
  return { place: placeAt(source, start), path, problem, replacement: (id) => before + id + after };
}

/**
 * Writes the assets' IDs into all files of a plan or none. All are checked before one is written.
 */
export async function writeImport(
  { files }: ImportPlan,
  { ids, project }: { ids: ReadonlyMap<string, number>; project: ProjectImages },
) {
  const changes = files.map(({ source, images, edits, left }) => {
    const replaced = images.map(({ path, start, end, replacement }) => {
      return { start, end, text: replacement(ids.get(path) as number) };
    });
    return { source, text: applyEdits(source.text, [...replaced, ...edits]), left };
  });
  for (const { source, text, left } of changes) {
    const now = { ...source, text };
    await readFile(now, project);
    if (namedImages(now, project).length !== left.length)
      throw unsafe({ file: source.file, line: 1 });
    await assertWritable(source);
    if (!readFileSync(source.path).equals(source.bytes))
      throw mediaAssetError('source-changed', { file: source.file, line: 1 });
  }
  const written: { source: ImportFile['source']; bytes: Buffer }[] = [];
  /** Puts the sources back, unless someone has changed them since. */
  async function takeBack(): Promise<void> {
    // One that someone has changed since keeps no other from being put back.
    const ends = await Promise.allSettled(
      written.map(({ source, bytes }) =>
        writeSourceFile({ ...source, bytes }, source.bytes, { line: 1 }),
      ),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
  for (const { source, text } of changes) {
    const bytes = encodeSource(text, source);
    await writeSourceFile(source, bytes, { line: 1 }).catch(async (thrown) => {
      await takeBack();
      throw thrown;
    });
    written.push({ source, bytes });
  }
  return { files: written.map(({ source }) => source.file), takeBack };
}
