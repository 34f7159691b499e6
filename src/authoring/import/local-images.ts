import { posix } from 'node:path';
import fastGlob from 'fast-glob';
import type { Place } from '../../errors/place.ts';
import type { SourceText } from '../source/source-file.ts';
import type { Edit, Range, SourceFile } from '../source/source-text.ts';

/** A local image that a source names, at the range of its name. */
export interface LocalImage extends Range {
  /** From the project's root, with `/`. */
  readonly path: string;
}

/** One that becomes an asset. */
export interface ChangedImage extends LocalImage {
  /** Its alt text, or `''` if none is written there. */
  readonly alt: string;
  /** The text that names the asset instead. */
  replacement(id: number): string;
}

/** A source as the import sees it. A field is a top-level one of entries that becomes an asset. */
export interface ImportFile {
  readonly source: SourceText;
  /** The names in its frontmatter of values that are images. */
  readonly fields?: readonly string[];
  /** The images that become assets, and the edits that need no ID. */
  changes(fields: readonly string[]): { images: ChangedImage[]; edits: Edit[] };
  /** The places that set, declare or read a field in a way that isn't known to take assets. */
  others(field: string): Place[];
}

/** The path of an image to import that a source names by a URL; `undefined` for anything else. */
export type ResolveImage = (file: string, url: string) => string | undefined;

/** SVGs aren't images of the service by default. */
const extensions = 'avif,gif,jpeg,jpg,png,tiff,webp';

/** The images in folders of a project, from its root, with `/`. */
export async function listImages(root: string, folders: readonly string[]): Promise<string[]> {
  const patterns = folders.map(
    (folder) =>
      `${fastGlob.escapePath(folder.replaceAll('\\', '/').replace(/\/+$/, ''))}/**/*.{${extensions}}`,
  );
  const found = await fastGlob(patterns, {
    cwd: root,
    caseSensitiveMatch: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
  });
  return found.map((path) => posix.normalize(path)).sort();
}

/**
 * Resolves URLs as Astro does: relative to the file, from the root, from `src` with the usual aliases,
 * and of `public`. Paths are from the project's root, with `/`.
 */
export function imageResolver(images: Iterable<string>): ResolveImage {
  const known = new Set(images);
  return (file, url) => {
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(url)) return undefined;
    const path = decode(url.replace(/[?#].*$/s, ''));
    const candidates = path.startsWith('/')
      ? [`public${path}`, path.slice(1)]
      : [posix.join(posix.dirname(file), path), path.replace(/^[@~]\//, 'src/'), path];
    return candidates.map((one) => posix.normalize(one)).find((one) => known.has(one));
  };
}

/** The images that a text names, in code, data, HTML and CSS. */
export function namedImages({ file, text }: SourceFile, resolve: ResolveImage): LocalImage[] {
  const ending = `\\.(?:${extensions.replaceAll(',', '|')})`;
  const quoted = `(["'\`])([^"'\`\\n]+${ending})\\1`;
  const names = new RegExp(`${quoted}|[^\\s"'\`()<>[\\]{},;=]+${ending}(?![\\w.])`, 'gi');
  return [...text.matchAll(names)].flatMap(({ 0: whole, 2: inner = whole, index: start }) => {
    const path = resolve(file, inner);
    return path ? [{ path, start, end: start + whole.length }] : [];
  });
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
