import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import fastGlob from 'fast-glob';
import { sharp } from '../../assets/formats/sharp.ts';
import { decodePath } from '../../errors/decode-path.ts';
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
  /** The names in its frontmatter of values that are images, if they match `\w+`. */
  readonly fields?: readonly string[];
  /** The images that become assets (not in MDX, if a component shows them), and edits without IDs. */
  changes(fields: readonly string[], isMapped?: boolean): { images: ChangedImage[]; edits: Edit[] };
  /** The places that set, declare or read a field in a way that isn't known to take assets. */
  others(field: string): Place[];
}

/** The images to import of a project, and how its sources name and show them. */
export type ProjectImages = Awaited<ReturnType<typeof projectImages>>;

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

/** Paths are from the project's root, with `/`. */
export async function projectImages(root: string, paths: readonly string[]) {
  const read = (name: string) => readFile(join(root, name), 'utf8').catch(() => '');
  const settings = await read('tsconfig.json');
  const base = /"baseUrl"\s*:\s*"([^"]*)"/.exec(settings)?.[1] ?? '';
  const aliases = [...settings.matchAll(/"([^"*]+)\*"\s*:\s*\[\s*"([^"*]*)\*"/g)];
  const widths = new Map<string, number>();
  for (const path of paths) {
    const metadata = sharp(join(root, path)).metadata();
    widths.set(path, (await metadata.catch(() => undefined))?.autoOrient.width ?? 0);
  }
  const pathOf = (url: string) => decodePath(url.replace(/(?<!^)[?#].*$/s, ''), decodeURIComponent);
  return {
    /** In pixels; 0 if it can't be read. */
    widths,
    /** Whether `<Image>` crops to its `width` and `height`. */
    isCropped: /"version":\s*"(?:[6-9]|\d\d)/.test(await read('node_modules/astro/package.json')),
    /** The path of an image that a source names by a URL, as Astro resolves it. */
    resolve(file: string, url: string): string | undefined {
      if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(url)) return undefined;
      const path = pathOf(url);
      const aliased = aliases.flatMap(([, alias = '', folder = '']) =>
        path.startsWith(alias) ? posix.join(base, folder, path.slice(alias.length)) : [],
      );
      const candidates = path.startsWith('/')
        ? [`public${path}`, path.slice(1)]
        : [posix.join(posix.dirname(file), path), path.replace(/^[@~]\//, 'src/'), path];
      return [...aliased, ...candidates].map(posix.normalize).find((one) => widths.has(one));
    },
    /** The images with the file name of a URL that can't be resolved. */
    sameNames(url: string): string[] {
      return paths.filter((path) => posix.basename(path) === posix.basename(pathOf(url)));
    },
  };
}

const iconLinks = /<link\b[^>]*\brel=["'](?:shortcut |apple-touch-)?icon["'][^>]*>/gi;

/** The images that a text names, in code, data, HTML and CSS. Icons of the site aren't images of pages. */
export function namedImages({ file, text }: SourceFile, project: ProjectImages): LocalImage[] {
  const ending = `\\.(?:${extensions.replaceAll(',', '|')})`;
  const quoted = `(["'\`])([^"'\`\\n]+${ending})\\1`;
  // A run of letters is tried from its start only, because it can be a long `data:` URL.
  const around = '\\s"\'`()<>[\\]{},;=';
  const bare = `(?<![^${around}])[^${around}]+${ending}(?![\\w.])`;
  const names = new RegExp(`${quoted}|${bare}`, 'gi');
  const shown = text.replace(iconLinks, (link) => ' '.repeat(link.length));
  return [...shown.matchAll(names)].flatMap(({ 0: whole, 2: inner = whole, index: start }) => {
    const path = project.resolve(file, inner);
    const paths = path ? [path] : project.sameNames(inner);
    return paths.map((path) => ({ path, start, end: start + whole.length }));
  });
}
