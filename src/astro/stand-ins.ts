import { createHash } from 'node:crypto';
import type { MediaAssetError } from '../errors.ts';
import { drawStandIn } from '../images/draw-stand-in.ts';
import type { MediaAsset, MediaAssetRequest } from '../images/media-asset.ts';
import type { PictureDefaults } from '../images/parse-request.ts';
import { standInAsset } from '../images/stand-in-asset.ts';

/** Pictures that the dev server shows in the place of assets that cannot be had. */
export interface StandIns {
  /** @throws where the request itself is wrong, as `getMediaAsset` does */
  show(request: MediaAssetRequest, error: MediaAssetError): Promise<MediaAsset>;
  /** The SVG behind a URL; `undefined` for one that was not shown. */
  find(url: string): string | undefined;
}

const most = 1000;
const address = /\/media-asset\/unavailable\/([1-9]\d*-[0-9a-f]{16})\.svg(?:[?#].*)?$/;

/** @param toUrl the URL of a path below the assets folder */
export function createStandIns(site: {
  toUrl: (path: string) => string;
  defaults: PictureDefaults;
  originalUrl: (id: number) => string;
}): StandIns {
  const pictures = new Map<string, string>();
  return {
    async show(request, error) {
      const asset = await standInAsset(request, site);
      const svg = drawStandIn(asset, asset.id, error);
      const digest = createHash('sha256').update(svg).digest('hex').slice(0, 16);
      const name = `${asset.id}-${digest}`;
      pictures.set(name, svg);
      const [oldest] = pictures.keys();
      if (pictures.size > most && oldest !== undefined) pictures.delete(oldest);
      const src = site.toUrl(`media-asset/unavailable/${name}.svg`);
      return { ...asset, src, url: src };
    },
    find: (url) => pictures.get(address.exec(url)?.[1] ?? ''),
  };
}
