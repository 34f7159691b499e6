import { describe } from '../../errors/errors.ts';
import type { FoundPlace } from '../source/found-place.ts';
import { type Project, placesInProject } from '../source/project-places.ts';
import type { PlacesAnswer, PlacesRequest, SourcePlace } from './protocol.ts';

/** The places in the source that an image on a page comes from, or why there's none. */
export async function placesOf(asked: PlacesRequest, project: Project): Promise<PlacesAnswer> {
  const { places, isCall } = await placesInProject(asked, project);
  const found = places.map((place) => toSourcePlace(place, place.hash));
  if (found.length > 0) return { places: found, isCall };
  const { place } = asked;
  const details = { file: place?.file ?? 'The page', line: place?.line ?? 1, prop: 'id' };
  const { message, hint } = describe('source-computed', details);
  return { places: [], isCall, notice: { code: 'source-computed', message, hint } };
}

export function toSourcePlace(
  { file, line, column, kind, text, start }: FoundPlace,
  hash: string,
): SourcePlace {
  return { file, line, column, kind, text, start, hash };
}
