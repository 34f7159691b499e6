import fastGlob from 'fast-glob';
import { isMediaAssetError } from '../../errors/errors.ts';
import type { Place } from '../../errors/place.ts';
import { unsafe } from '../source/edit/assert-only-changed.ts';
import {
  assertWritable,
  encodeSource,
  readSourceFile,
  type SourceText,
  writeSourceFile,
} from '../source/source-file.ts';
import { applyEdits, frontmatterRange, isMarkdown, placeAt } from '../source/source-text.ts';
import { readAstro } from './astro-images.ts';
import { readCode, readConfig, readContent } from './content-images.ts';
import {
  type ImportFile,
  type LocalImage,
  namedImages,
  type ResolveImage,
} from './local-images.ts';

/** What the sources of a project have of the images to import. */
export type ImportPlan = Awaited<ReturnType<typeof planImport>>;

/** What only a person can change: a file that can't be read, a name that stays, what stops a field. */
interface LeftPlace {
  readonly place: Place;
  readonly problem: string;
  /** The image, and the text that names its asset. */
  readonly path?: string;
  replacement?(id: number | '…'): string;
}

const endings = [
  ...['.astro', '.md', '.mdx', '.yaml', '.yml', '.json', '.vue', '.svelte'],
  ...['.tsx', '.jsx', '.ts', '.mts', '.js', '.mjs'],
];

const contentConfig = /^src\/content(?:\.|\/)config\.m?[jt]s$/;

async function readFile(source: SourceText, resolve: ResolveImage): Promise<ImportFile> {
  if (isMarkdown(source.file)) return readContent(source, resolve);
  if (source.file.endsWith('.astro')) return readAstro(source, resolve);
  return contentConfig.test(source.file) ? readConfig(source) : readCode(source);
}

/** Finds local images in the sources below `src` of a project. Reads only. */
export async function planImport(root: string, resolve: ResolveImage) {
  const names = await fastGlob(`src/**/*{${endings}}`, { cwd: root, followSymbolicLinks: false });
  const sources: ImportFile[] = [];
  const unread: LeftPlace[] = [];
  for (const name of names.sort()) {
    try {
      sources.push(await readFile(await readSourceFile(root, name, endings), resolve));
    } catch (thrown) {
      if (!isMediaAssetError(thrown)) throw thrown;
      const problem = thrown.message.replace(/\.$/, '');
      unread.push({ place: thrown.place ?? { file: name }, problem });
    }
  }
  const { fields, stops } = planFields(sources);
  // A file that can't be read may be an entry or a reader.
  const changed = unread.length === 0 ? fields : [];
  const files = sources.map(({ source, changes }) => {
    const { images, edits } = changes(changed);
    const ranges = [...images, ...edits];
    const left = namedImages(source, resolve).filter(
      (name) => !ranges.some(({ start, end }) => start <= name.start && name.end <= end),
    );
    return { source, images, edits, left };
  });
  const left = files.flatMap(({ source, left }) => left.map((name) => leftPlace(source, name)));
  return {
    names: files.flatMap(({ images, left }) => [...images, ...left]),
    /** The files that change. */
    files: files.filter(({ images, edits }) => images.length + edits.length > 0),
    left: [...unread, ...left, ...stops],
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
    if (!/^\w+$/.test(field)) continue;
    const isDeclared = configs.some(({ changes }) => changes([field]).edits.length > 0);
    const places = (isDeclared ? sources : configs).flatMap(({ others }) => others(field));
    stops.push(...places.map((place) => ({ place, problem: `stops the field ${field}` })));
    if (isDeclared && places.length === 0) fields.push(field);
  }
  return { fields, stops };
}

function leftPlace(source: SourceText, { path, start }: LocalImage): LeftPlace {
  const { file, text } = source;
  const found = { place: placeAt(source, start), path };
  const isMatter = isMarkdown(file) && start < (frontmatterRange(text)?.end ?? 0);
  if (isMatter || /\.(?:json|ya?ml)$/.test(file)) {
    const key = file.endsWith('.json') ? '"id"' : 'id';
    const problem = 'code can read this value';
    return { ...found, problem, replacement: (id) => `{ ${key}: ${id} }` };
  }
  const problem = "it's in HTML or code";
  return isMarkdown(file)
    ? { ...found, problem, replacement: (id) => `![…](media:${id})` }
    : { ...found, problem, replacement: (id) => `<MediaAsset id={${id}} alt="…" />` };
}

/**
 * Writes the assets' IDs into the files of a plan. All of them are checked before one is written.
 */
export async function writeImport(
  { files }: ImportPlan,
  { ids, resolve }: { ids: ReadonlyMap<string, number>; resolve: ResolveImage },
) {
  const changes = files.map(({ source, images, edits, left }) => {
    const replaced = images.map(({ path, start, end, replacement }) => {
      return { start, end, text: replacement(ids.get(path) as number) };
    });
    return { source, text: applyEdits(source.text, [...replaced, ...edits]), left };
  });
  for (const { source, text, left } of changes) {
    const now = { ...source, text };
    await readFile(now, resolve);
    if (namedImages(now, resolve).length !== left.length)
      throw unsafe({ file: source.file, line: 1 });
    await assertWritable(source);
  }
  const written = changes.map(({ source, text }) => {
    return { source, bytes: encodeSource(text, source) };
  });
  for (const { source, bytes } of written) await writeSourceFile(source, bytes, { line: 1 });
  return {
    files: written.map(({ source }) => source.file),
    /** Puts the sources back, unless someone has changed them since. */
    async takeBack(): Promise<void> {
      // One that someone has changed since keeps no other from being put back.
      const ends = await Promise.allSettled(
        written.map(({ source, bytes }) =>
          writeSourceFile({ ...source, bytes }, source.bytes, { line: 1 }),
        ),
      );
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}
