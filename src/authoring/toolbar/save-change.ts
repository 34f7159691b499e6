import { parseRequest } from '../../assets/request/parse-request.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { expectedProps } from '../source/edit/assert-only-changed.ts';
import { changePlace } from '../source/edit/change-place.ts';
import { type FoundPlace, toSourcePlace } from '../source/found-place.ts';
import { encodeSource, hashOf, readSourceFile, writeSourceFile } from '../source/source-file.ts';
import { findPlaces } from '../source/source-places.ts';
import type { AssetChange, SaveAnswer, SaveRequest } from './protocol.ts';

/** Ends with the last save that was asked for. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Writes a change to the source, if the file has the bytes in which the place was found. Saves take
 * turns.
 *
 * @throws if nothing was written: the errors of the source, and those of `parseRequest` for values that no
 * image can have
 */
export function saveChange(request: SaveRequest, { root }: { root: string }): Promise<SaveAnswer> {
  const saved = turn.then(() => save(request, root));
  turn = saved.catch(() => {});
  return saved;
}

async function save({ place, change }: SaveRequest, root: string): Promise<SaveAnswer> {
  const { file, line, start, kind } = place;
  const source = await readSourceFile(root, file);
  const written = { path: file, text: source.text };
  const places = source.hash === place.hash ? await findPlaces(written) : [];
  const found = places.find(
    (one) => one.start === start && one.kind === kind && one.text === place.text,
  );
  if (!found) throw mediaAssetError('source-changed', { file, line });
  assertPossible(found, change);
  const changed = await changePlace(written, found, change);
  const bytes = encodeSource(changed.text, source);
  if (!bytes.equals(source.bytes)) await writeSourceFile(source, bytes, { line });
  return { place: toSourcePlace(changed.place, hashOf(bytes)) };
}

function assertPossible(found: FoundPlace, change: AssetChange): void {
  const { file, line } = found;
  const { preset: _, ...props } = expectedProps(found, change);
  parseRequest({ alt: '', ...props, place: { file, line } }, { layout: 'constrained' });
}
