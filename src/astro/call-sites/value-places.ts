import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import type { AskedImage } from '../../authoring/source/project-places.ts';
import { isAssetId } from '../../errors/asset-id.ts';
import { hintAlone, isMediaAssetError, MediaAssetError } from '../../errors/errors.ts';
import { formatPlace, type Place, type Subject } from '../../errors/place.ts';

const mostNamed = 3;

const valueErrors = [
  'alt-missing',
  'asset-unknown',
  'asset-withdrawn',
  'crop-invalid',
  'crop-outside',
  'prop-invalid',
  'prop-unknown',
] as const;

/** The values of a call, which can be anything, and its place. */
export interface AskedCall extends Pick<Subject, 'place'> {
  readonly id?: unknown;
  readonly crop?: unknown;
}

export type ValuePlaces = ReturnType<typeof createValuePlaces>;

/** @param isBuild a build reads the source once, because it doesn't change */
export function createValuePlaces(
  config: Pick<AstroConfig, 'root' | 'srcDir'>,
  { isBuild }: { isBuild: boolean },
) {
  const root = fileURLToPath(config.root);
  const srcDir = relative(root, fileURLToPath(config.srcDir)).replaceAll('\\', '/');
  const found = new Map<string, Promise<readonly Place[]>>();

  async function search(asked: AskedImage): Promise<readonly Place[]> {
    const { contentOf } = await import('../../authoring/source/project-places.ts');
    const places = await contentOf(asked, { root, srcDir });
    return places.slice(0, mostNamed).map(({ file, line }) => ({ file, line }));
  }

  async function of(thrown: unknown, { id, crop, place }: AskedCall): Promise<readonly Place[]> {
    if (!isAssetId(id) || !isMediaAssetError(thrown, ...valueErrors)) return [];
    const asked = { id, crop, place };
    const key = JSON.stringify(asked);
    const places = (isBuild && found.get(key)) || search(asked);
    if (isBuild) found.set(key, places);
    return places;
  }

  return {
    /**
     * Where the values of a failed call may come from, if not from the call itself: the frontmatter and
     * data files with the same asset. At most three.
     */
    of,
    /** The error with a sentence about these places in its hint. Other values stay as they are. */
    async explain(thrown: unknown, given: AskedCall): Promise<unknown> {
      const places = await of(thrown, given);
      if (!isMediaAssetError(thrown) || places.length === 0) return thrown;
      const { code, message, page, place, caller, asset, details, cause } = thrown;
      const hint = `${hintAlone(thrown)} The values may come from ${places.map(formatPlace).join(' or ')}.`;
      const about = { page, place, caller, asset, details };
      return new MediaAssetError(code, { message, hint, ...about }, { cause });
    },
  };
}
