import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import type { AskedImage } from '../../authoring/source/project-places.ts';
import { isAssetId } from '../../errors/asset-id.ts';
import { hintAlone, isMediaAssetError, MediaAssetError } from '../../errors/errors.ts';
import type { CallSite } from './call-site.ts';

/** The most places that a message names. */
const mostNamed = 3;

/** Errors that a value in the source can cause. */
const valueErrors = [
  'alt-missing',
  'asset-unknown',
  'asset-withdrawn',
  'crop-invalid',
  'crop-outside',
  'prop-invalid',
  'prop-unknown',
] as const;

export interface ValuePlaces {
  /**
   * Where the values of a failed call may come from, if not from the call itself: the frontmatter and
   * data files with the same asset, as `src/content/blog/quay.md:4`. At most three.
   */
  of(thrown: unknown, asked: AskedImage | undefined): Promise<readonly string[]>;
  /** The error with a sentence about these places in its hint. Other values stay as they are. */
  explain(thrown: unknown, asked: AskedImage | undefined): Promise<unknown>;
}

/** @param isBuild a build reads the source once, because it doesn't change */
export function createValuePlaces(
  config: Pick<AstroConfig, 'root' | 'srcDir'>,
  { isBuild }: { isBuild: boolean },
): ValuePlaces {
  const root = fileURLToPath(config.root);
  const srcDir = relative(root, fileURLToPath(config.srcDir)).replaceAll('\\', '/');
  const found = new Map<string, Promise<readonly string[]>>();

  async function search(asked: AskedImage): Promise<readonly string[]> {
    const { contentOf } = await import('../../authoring/source/project-places.ts');
    const places = await contentOf(asked, { root, srcDir });
    return places.slice(0, mostNamed).map(({ file, line }) => `${file}:${line}`);
  }

  async function of(thrown: unknown, asked: AskedImage | undefined): Promise<readonly string[]> {
    if (!asked || !isMediaAssetError(thrown, ...valueErrors)) return [];
    const key = JSON.stringify(asked);
    const places = (isBuild && found.get(key)) || search(asked);
    if (isBuild) found.set(key, places);
    return places;
  }

  return {
    of,
    async explain(thrown, asked) {
      const places = await of(thrown, asked);
      if (!isMediaAssetError(thrown) || places.length === 0) return thrown;
      const { code, message } = thrown;
      const hint = `${hintAlone(thrown)} The values may come from ${places.join(' or ')}.`;
      return new MediaAssetError(code, { message, hint }, { cause: thrown.cause });
    },
  };
}

/** @param values the props or the request of a component */
export function askedBy(
  { id, crop }: { readonly id?: unknown; readonly crop?: unknown },
  place: CallSite | undefined,
): AskedImage | undefined {
  return isAssetId(id) ? { id, crop, place } : undefined;
}
