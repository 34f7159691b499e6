import { posix } from 'node:path';
import fastGlob from 'fast-glob';
import type { Place } from '../../errors/place.ts';
import type { Edit } from '../source/source-text.ts';

/** A mention of a local image in a source. */
export interface LocalImage {
  readonly place: Place;
  /** From the project's root, with `/`. */
  readonly path: string;
  /** Its alt text, if that's written there. */
  readonly alt: string | undefined;
  /** The keys of frontmatter or data whose value it is: `cover.src`. */
  readonly field?: string | undefined;
  /** The edits that make it an asset, or why only a person can. */
  readonly edits: ((id: number) => readonly Edit[]) | string;
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

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
