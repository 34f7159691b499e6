import { isDeepStrictEqual } from 'node:util';
import fastGlob from 'fast-glob';
import { describe, isMediaAssetError } from '../../errors/errors.ts';
import type { FoundPlace } from '../source/found-place.ts';
import { findPlaces } from '../source/source-places.ts';
import type { PlacesAnswer, ShownAsset, SourcePlace } from './protocol.ts';
import { readSourceFile } from './source-files.ts';

/** The most content files that are searched for an asset. */
const mostFiles = 5000;

/**
 * Finds the places in the source that an image on a page comes from: its component or Markdown image,
 * or, if that has computed values, the frontmatter and data files with the same asset and crop.
 *
 * @param project.root the project's folder. @param project.srcDir its sources, from there, with `/`
 */
export async function placesOf(
  shown: ShownAsset,
  project: { readonly root: string; readonly srcDir: string },
): Promise<PlacesAnswer> {
  const { place } = shown;
  const called = place && (await placeAt(shown, place, project.root));
  if (called && called.props.id === shown.id && !called.computed.some(isWritten)) {
    return { places: [toSourcePlace(called)] };
  }
  const places = await placesInContent(shown, project);
  if (places.length > 0) return { places };
  const details = { file: place?.file ?? 'The page', line: place?.line ?? 1, prop: 'id' };
  const { message, hint } = describe('source-computed', details);
  return { places: [], notice: { code: 'source-computed', message, hint } };
}

/** Props that decide the asset and its part. */
function isWritten(name: string): boolean {
  return ['...', 'id', 'crop', 'aspect', 'focus', 'sources'].includes(name);
}

async function placeAt(
  shown: ShownAsset,
  { file, line, column }: NonNullable<ShownAsset['place']>,
  root: string,
): Promise<FoundPlace | undefined> {
  const source = await readSourceFile(root, file);
  const places = await findPlaces({ path: source.file, text: source.text });
  const inLine = places.filter((one) => one.line === line);
  if (column !== undefined) return inLine.find((one) => one.column === column);
  return inLine.find(({ props }) => props.id === shown.id);
}

async function placesInContent(
  shown: ShownAsset,
  { root, srcDir }: { root: string; srcDir: string },
): Promise<SourcePlace[]> {
  const files = await fastGlob(`${fastGlob.escapePath(srcDir)}/**/*.{md,mdx,yaml,yml,json}`, {
    cwd: root,
    followSymbolicLinks: false,
  });
  const found: SourcePlace[] = [];
  for (const file of files.sort().slice(0, mostFiles)) {
    const text = await readSourceFile(root, file)
      .then((source) => source.text)
      .catch(ignoreOurs);
    if (!text?.includes(String(shown.id))) continue;
    const places = await findPlaces({ path: file, text, id: shown.id }).catch(ignoreOurs);
    const same = (places ?? []).filter((one) => one.kind === 'yaml' || one.kind === 'json');
    found.push(...same.filter((one) => showsSame(one, shown)).map(toSourcePlace));
  }
  return found;
}

/** A file that can't be read or parsed isn't a place to write to. */
function ignoreOurs(thrown: unknown): undefined {
  if (!isMediaAssetError(thrown)) throw thrown;
  return undefined;
}

function showsSame({ props }: FoundPlace, shown: ShownAsset): boolean {
  return props.id === shown.id && isDeepStrictEqual(toData(props.crop), toData(shown.props.crop));
}

/** Without properties that are `undefined`, as in JSON. */
function toData(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

export function toSourcePlace({ file, line, column, kind, text }: FoundPlace): SourcePlace {
  return { file, line, column, kind, text };
}
