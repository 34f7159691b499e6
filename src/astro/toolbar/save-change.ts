import { chmod, stat } from 'node:fs/promises';
import { parseRequest } from '../../assets/request/parse-request.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import { changePlace } from '../source/edit/change-place.ts';
import type { FoundPlace } from '../source/found-place.ts';
import { readSourceFile } from '../source/read-source-file.ts';
import { findPlaces } from '../source/source-places.ts';
import { toSourcePlace } from './find-places.ts';
import type { AssetChange, SaveAnswer, SaveRequest, ShownProps, SourcePlace } from './protocol.ts';

/**
 * Writes a change to the source, if the place still has the text that the app showed.
 *
 * @param root the project's folder
 * @throws `source-changed`, `source-outside`, `source-computed`, `source-unreadable`, and the errors of
 * `parseRequest` for values that no image can have. Nothing is written then
 */
export async function saveChange(
  { place, change }: SaveRequest,
  { root }: { root: string },
): Promise<SaveAnswer> {
  const source = await readSourceFile(root, place.file);
  const places = await findPlaces({ path: source.file, text: source.text, id: idIn(place) });
  const found = samePlace(places, place);
  assertPossible(found, change);
  const text = changePlace(source.text, found, change);
  if (text !== source.text) {
    const { mode } = await stat(source.path);
    await replaceFile(source.path, text, 'anybody');
    await chmod(source.path, mode);
  }
  const after = await findPlaces({ path: source.file, text, id: change.id ?? found.props.id });
  const now = after.find(({ start, kind }) => start === found.start && kind === found.kind);
  return { place: toSourcePlace(now ?? found) };
}

/** A bare number is only a place if its ID is asked for. */
function idIn({ text }: SourcePlace): number | undefined {
  return /^["']?-?\d+["']?$/.test(text.trim()) ? Number(text.replaceAll(/["']/g, '')) : undefined;
}

/** @throws `source-changed` if the text isn't there, or there more than once and none in its line */
function samePlace(places: readonly FoundPlace[], asked: SourcePlace): FoundPlace {
  const { file, line, column, kind, text } = asked;
  const same = places.filter((one) => one.kind === kind && one.text === text);
  const exact = same.find((one) => one.line === line && one.column === column);
  const only = same.length === 1 ? same[0] : undefined;
  const found = exact ?? only;
  if (!found) throw mediaAssetError('source-changed', { file, line });
  return found;
}

/** @throws as `parseRequest`, naming the file */
function assertPossible({ file, line, props }: FoundPlace, change: AssetChange): void {
  const { sources, ...values } = change;
  const given = Object.fromEntries(
    Object.entries({ ...props, ...values, preset: undefined }).filter(
      ([, value]) => value !== null,
    ),
  );
  const written = (props as ShownProps).sources;
  const directed = written?.map((source, index) => {
    const crop = sources?.[index];
    return { ...source, crop: crop === undefined ? source.crop : (crop ?? undefined) };
  });
  parseRequest(
    { alt: '', ...given, sources: directed, page: `${file}:${line}` },
    { layout: 'constrained' },
  );
}
