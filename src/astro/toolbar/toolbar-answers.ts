import type { z } from 'zod';
import type { PeopleAssets } from '../../assets/assets.ts';
import { parseAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { placesOf } from './find-places.ts';
import type { Library } from './library.ts';
import type { AssetKind } from './protocol.ts';
import { placesRequest, saveRequest } from './requests.ts';
import { saveChange } from './save-change.ts';
import type { Answers } from './toolbar-middleware.ts';

/** Widths of previews in pixels: of a thumbnail, and for the crop editor. */
const previewWidths = [320, 1600];

const mostAssets = 100;

const kinds: readonly string[] = ['image', 'video', 'audio', 'document'] satisfies AssetKind[];

/** The requests of the toolbar app, and what answers them. `protocol.ts` has their forms. */
export function toolbarAnswers({
  images,
  library,
  project,
}: {
  images: Pick<PeopleAssets, 'preview'>;
  library: Library;
  project: { readonly root: string; readonly srcDir: string };
}): Answers {
  return {
    // Tells the app whether it may ask.
    'GET session.json': async () => ({}),
    'GET folders.json': () => library.folders(),
    'GET assets.json': (query) =>
      library.assets({
        search: query.get('search') || undefined,
        folder: optional(query.get('folder'), (text) => wholeNumber('folder', text)),
        kind: optional(query.get('kind'), readKind),
        offset: Math.max(0, wholeNumber('offset', query.get('offset') ?? '0')),
        limit: Math.min(mostAssets, wholeNumber('limit', query.get('limit') ?? '100')),
      }),
    'GET asset.json': (query) => library.asset(assetId(query)),
    'GET image.webp': (query) => {
      const width = wholeNumber('width', query.get('width') ?? '');
      if (!previewWidths.includes(width)) throw invalid('unknown width');
      return images.preview(assetId(query), width);
    },
    'POST places.json': (_, body) => placesOf(parse(placesRequest, body), project),
    'POST save.json': (_, body) => saveChange(parse(saveRequest, body), project),
  };
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const { success, data } = schema.safeParse(body);
  if (!success) throw invalid('unknown form');
  return data;
}

function assetId(query: URLSearchParams): number {
  const id = parseAssetId(query.get('id') ?? '');
  if (id === undefined) throw invalid('no asset ID');
  return id;
}

function wholeNumber(name: string, text: string): number {
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (number === undefined) throw invalid(`no whole number as ${name}`);
  return number;
}

function readKind(text: string): AssetKind {
  if (!kinds.includes(text)) throw invalid('unknown kind');
  return text as AssetKind;
}

function optional<T>(text: string | null, read: (text: string) => T): T | undefined {
  return text === null || text === '' ? undefined : read(text);
}

function invalid(problem: string) {
  return mediaAssetError('toolbar-request-invalid', { problem });
}
