import type { z } from 'zod';
import type { PeopleAssets } from '../../assets/assets.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { placesOf } from './find-places.ts';
import type { Library } from './library.ts';
import {
  assetRequest,
  assetsRequest,
  imageRequest,
  placesRequest,
  saveRequest,
} from './protocol.ts';
import { saveChange } from './save-change.ts';
import type { Answers } from './toolbar-middleware.ts';

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
    'GET assets.json': parsed(assetsRequest, library.assets),
    'GET asset.json': parsed(assetRequest, ({ id }) => library.asset(id)),
    'GET image.webp': parsed(imageRequest, ({ id, width }) => images.preview(id, width)),
    'POST places.json': parsed(placesRequest, (request) => placesOf(request, project)),
    'POST save.json': parsed(saveRequest, (request) => saveChange(request, project)),
  };
}

function parsed<T>(schema: z.ZodType<T>, answer: (request: T) => Promise<unknown>) {
  return async (given: unknown) => {
    const { success, data } = schema.safeParse(given);
    if (!success) throw mediaAssetError('toolbar-request-invalid', { problem: 'unknown form' });
    return answer(data);
  };
}
