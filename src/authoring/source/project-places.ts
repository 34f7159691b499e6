import { isDeepStrictEqual } from 'node:util';
import fastGlob from 'fast-glob';
import { describe, ignoreOurs } from '../../errors/errors.ts';
import type { PlacesAnswer, PlacesRequest } from '../toolbar/protocol.ts';
import { type FoundPlace, numberOf, toSourcePlace } from './found-place.ts';
import { readSourceFile } from './source-file.ts';
import { findPlaces } from './source-places.ts';

const inData: readonly string[] = ['yaml', 'json'];

const mostFiles = 5000;

export interface Project {
  readonly root: string;
  /** The project's sources, from `root`, with `/`. */
  readonly srcDir: string;
}

/** A page may have given anything as a crop. */
export type AskedImage = Omit<PlacesRequest, 'crop'> & { readonly crop?: unknown };

/** A place, with a digest of the bytes that it was found in. */
type PlaceInFile = FoundPlace & { readonly hash: string };

/**
 * Finds the places in the source that an image comes from: its component or Markdown image, or, if
 * that has computed values or isn't known, the frontmatter and data files with the same asset and crop,
 * and the components in MDX, or else those with the number alone.
 */
export async function placesOf(asked: AskedImage, project: Project): Promise<PlacesAnswer> {
  const calls = await writtenCalls(asked, project.root);
  const content = calls.length > 0 ? [] : await placesInContent(asked, project);
  const isNumber = (place: FoundPlace) => numberOf(place) !== undefined;
  const same = content.filter(
    (place) =>
      !isNumber(place) &&
      isDeepStrictEqual(toData(place.props.crop), toData(asked.crop)) &&
      (place.kind !== 'component' || !place.computed.some(isDeciding)),
  );
  const found = [calls, same, content.filter(isNumber)].find((some) => some.length > 0) ?? [];
  const places = found.map((one) => {
    return { ...toSourcePlace(one, one.hash), isAltFixed: isAltFixed(one, asked) };
  });
  // Of several in one line, only the author knows which one was clicked.
  if (places.length > 0) return { places, isCall: calls.length === 1 };
  const { file = 'The page', line } = asked.place ?? {};
  const code = 'source-computed';
  const notice = { code, ...describe(code, { file, line, prop: 'id' }) };
  return { places, isCall: false, notice };
}

/** Whether an alt text that is written to a place wouldn't be on the page. */
function isAltFixed({ kind, computed, props }: FoundPlace, { alt }: AskedImage): boolean {
  if (computed.includes('alt')) return true;
  // The template of a page can have its own.
  return inData.includes(kind) && alt !== undefined && alt !== props.alt;
}

/** The component or Markdown image, if its asset and crop are literal values. */
async function writtenCalls(asked: AskedImage, root: string): Promise<PlaceInFile[]> {
  const { id, place } = asked;
  if (!place) return [];
  const { file, line, column } = place;
  const { text, hash } = await readSourceFile(root, file);
  const places = await findPlaces({ file, text });
  const called = places.filter(
    (one) =>
      one.line === line &&
      one.props.id === id &&
      fits(one, asked) &&
      (column === undefined || one.column === column) &&
      !one.computed.some(isDeciding),
  );
  return called.map((one) => ({ ...one, hash }));
}

function isDeciding(name: string): boolean {
  return ['...', 'id', 'crop', 'aspect', 'focus', 'sources'].includes(name);
}

/**
 * The places of an asset in frontmatter and data files, also with the number alone, and the
 * components in MDX, whose calls have no place.
 */
async function placesInContent(
  asked: AskedImage,
  { root, srcDir }: Project,
): Promise<PlaceInFile[]> {
  const { id, place: call } = asked;
  const files = await fastGlob(`${fastGlob.escapePath(srcDir)}/**/*.{md,mdx,yaml,yml,json}`, {
    cwd: root,
    followSymbolicLinks: false,
  });
  const found: PlaceInFile[] = [];
  for (const file of files.sort().slice(0, mostFiles)) {
    // A file that can't be read or parsed isn't a place to write to.
    const source = await readSourceFile(root, file).catch(ignoreOurs);
    if (!source?.text.includes(String(id))) continue;
    const { text, hash } = source;
    const places = (await findPlaces({ file, text, id }).catch(ignoreOurs)) ?? [];
    const same = places.filter(
      (one) =>
        one.props.id === id &&
        fits(one, asked) &&
        (inData.includes(one.kind) || (one.kind === 'component' && !call)),
    );
    found.push(...same.map((place) => ({ ...place, hash })));
  }
  return found;
}

function fits({ isFile }: FoundPlace, asked: AskedImage): boolean {
  return isFile === undefined || isFile === (asked.isFile ?? false);
}

/** Without properties that are `undefined`, as in JSON. */
function toData(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
