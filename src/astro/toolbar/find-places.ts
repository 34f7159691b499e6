import { describe } from '../../errors/errors.ts';
import type { FoundPlace } from '../source/found-place.ts';
import { type Project, placesInProject } from '../source/project-places.ts';
import type { PlacesAnswer, ShownAsset, SourcePlace } from './protocol.ts';

/** The places in the source that an image on a page comes from, or why there's none. */
export async function placesOf(shown: ShownAsset, project: Project): Promise<PlacesAnswer> {
  const { id, place, props } = shown;
  const places = await placesInProject({ id, place, crop: props.crop }, project);
  if (places.length > 0) return { places: places.map(toSourcePlace) };
  const details = { file: place?.file ?? 'The page', line: place?.line ?? 1, prop: 'id' };
  const { message, hint } = describe('source-computed', details);
  return { places: [], notice: { code: 'source-computed', message, hint } };
}

export function toSourcePlace({ file, line, column, kind, text }: FoundPlace): SourcePlace {
  return { file, line, column, kind, text };
}
