import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assetIdPattern } from '../../errors/asset-id.ts';
import { isMediaAssetError } from '../../errors/errors.ts';
import type { Rectangle } from '../formats/rendition.ts';
import { parseMediaAddress } from './media-address.ts';

const sourceFile = /\.(astro|mdx?|[cm]?[jt]sx?|svelte|vue)$/;

/** In bytes. Larger files aren't written by people. */
const largestFile = 1024 ** 2;

/** Finds the assets that a site's source files name, so that a first build can fetch them early. */
export async function readNamedAssets(folder: string): Promise<NamedInSource[]> {
  // Astro itself reports folders and files that can't be read.
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found: NamedInSource[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const about = sourceFile.test(name) ? await stat(path).catch(() => undefined) : undefined;
    if (!about || about.size > largestFile) continue;
    found.push(...findNamedAssets(await readFile(path, 'utf8').catch(() => '')));
  }
  return found;
}

export interface NamedInSource {
  readonly id: number;
  /** A rectangle in pixels, the whole image, or a part that only the rendered page knows. */
  readonly shows: Rectangle | 'whole' | 'unknown';
}

/** The most characters of a component or call that are searched. */
const longestText = 2000;

const start = /<MediaAsset\b|\bgetMediaAsset\(/g;
const end = /\/>|\)/;
const id = new RegExp(`(?<![\\w-])id(?:=\\{|:)\\s*(${assetIdPattern})\\b`);
const cropped = /\bcrop(?:=\{|:)\s*(?:\{([^}]*)\})?/;
/** An aspect is always cut from the original, and a preset may have one. */
const aspect = /\b(?:aspect|preset)\b/;

const address = new RegExp(`\\bmedia:${assetIdPattern}(?:\\?[^\\s)"'\\]>]*)?`, 'g');

const longestLink = 300;

/** Before the address of a file. Files can be large and aren't fetched on a guess. */
const link = /(?:(?<!!)\[[^[\]]*\]\(<?|\bhref=["']?)\s*$/;

/**
 * Finds the assets that a source file names literally: in components, calls and Markdown. It's a
 * guess that can miss assets or find too many. It only lets downloads start early; pages decide.
 */
export function findNamedAssets(text: string): NamedInSource[] {
  return [
    ...Array.from(text.matchAll(start), ({ index, 0: { length } }) =>
      readProps(text.slice(index + length, index + length + longestText).split(end)[0] ?? ''),
    ).flat(),
    ...Array.from(text.matchAll(address), ({ 0: found, index }) =>
      link.test(text.slice(Math.max(0, index - longestLink), index)) ? [] : readAddress(found),
    ).flat(),
  ];
}

function readProps(props: string): NamedInSource[] {
  const named = id.exec(props)?.[1];
  if (named === undefined) return [];
  const crop = cropped.exec(props);
  const sides = ['x', 'y', 'width', 'height'].map(sideIn(crop?.[1] ?? ''));
  const shows = !crop || aspect.test(props) ? 'whole' : toRectangle(sides);
  return [{ id: Number(named), shows }];
}

function sideIn(crop: string) {
  return (name: string) => Number(new RegExp(`\\b${name}:\\s*(\\d+)\\s*(?:,|$)`).exec(crop)?.[1]);
}

function readAddress(text: string): NamedInSource[] {
  try {
    const { id, crop, aspect, preset } = parseMediaAddress(text.replaceAll('&amp;', '&'));
    if (crop === undefined || (aspect ?? preset) !== undefined) return [{ id, shows: 'whole' }];
    const { unit, x, y, width, height } = crop;
    const sides = unit === 'fraction' ? [] : [x, y, width, height];
    return [{ id, shows: toRectangle(sides) }];
  } catch (thrown) {
    if (isMediaAssetError(thrown)) return [];
    throw thrown;
  }
}

function toRectangle([x, y, width, height]: readonly number[]): NamedInSource['shows'] {
  const isWhole = (side: number | undefined): side is number => Number.isSafeInteger(side);
  if (!isWhole(x) || !isWhole(y) || !isWhole(width) || !isWhole(height)) return 'unknown';
  return width > 0 && height > 0 ? { x, y, width, height } : 'unknown';
}
