import { readFile } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { z } from 'zod';
import type { PeopleAssets } from '../../assets/people-assets.ts';
import { parseRequest } from '../../assets/request/parse-request.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { expectedProps } from '../source/edit/assert-only-changed.ts';
import { changePlace } from '../source/edit/change-place.ts';
import { insertImage } from '../source/edit/insert-image.ts';
import { toSourcePlace } from '../source/found-place.ts';
import { type Project, placesOf } from '../source/project-places.ts';
import { hashOf, readSourceFile } from '../source/source-file.ts';
import { findPlaces } from '../source/source-places.ts';
import type { Library } from './library.ts';
import * as protocol from './protocol.ts';
import { openSaves } from './saves.ts';
import type { Replies } from './toolbar-middleware.ts';
import type { createUpload } from './upload.ts';

/** The requests of the toolbar app, and what answers them. `protocol.ts` has their forms. */
export function toolbarAnswers(
  images: Pick<PeopleAssets, 'preview'>,
  site: { library: Library; upload: ReturnType<typeof createUpload>; project: Project },
): Replies {
  const { library, upload, project } = site;
  const turns = pLimit(1);
  const saves = openSaves(project.root);

  /** As `parsed`, one request after another. */
  function inTurn<T>(schema: z.ZodType<T>, answer: (request: T) => Promise<unknown>) {
    return protocol.parsed(schema, (request) => turns(() => answer(request)));
  }

  /** Writes a change, if the file has the bytes in which the place was found. Returns it as it's now. */
  async function save({ place, change }: protocol.SaveRequest): Promise<protocol.SaveAnswer> {
    const { file, line, start, kind } = place;
    const source = await readSourceFile(project.root, file);
    const { text } = source;
    const asked = { file, text, id: place.number };
    const places = source.hash === place.hash ? await findPlaces(asked) : [];
    const found = places.find((one) => one.start === start && one.kind === kind);
    if (!found) throw mediaAssetError('source-changed', { file, line });
    const { preset: _, ...props } = expectedProps(found, change);
    for (const image of change.poster ? [props, change.poster] : [props])
      parseRequest({ alt: '', ...image, place: { file, line } }, { layout: 'constrained' });
    const changed = await changePlace({ text, place: found }, change);
    const used = change.id ?? change.poster?.id;
    if (used !== undefined) library.noteUse(used);
    const { bytes, place: saved } = await saves.write(source, changed.text, line);
    return { place: toSourcePlace(changed.place, hashOf(bytes)), saved };
  }

  async function insert(request: protocol.InsertRequest): Promise<protocol.SavedPlace> {
    const { file, line, hash } = request.block;
    const source = await readSourceFile(project.root, file);
    if (source.hash !== hash) throw mediaAssetError('source-changed', { file, line });
    for (const { link: _, ...image } of request.images)
      parseRequest({ alt: '', ...image, place: { file, line } }, { layout: 'constrained' });
    const inserted = await insertImage(source.text, request);
    const { place } = await saves.write(source, inserted.text, inserted.line);
    for (const { id } of request.images.toReversed()) library.noteUse(id);
    return place;
  }

  return {
    'GET cms/decap.js': () => readFile(new URL('../../cms/decap.js', import.meta.url), 'utf8'),
    'GET folders.json': () => library.folders(),
    'GET assets.json': protocol.parsed(protocol.assetsRequest, library.assets),
    'GET asset.json': protocol.parsed(protocol.assetRequest, library.asset),
    'GET image.webp': protocol.parsed(protocol.imageRequest, ({ id, width }) =>
      images.preview(id, width),
    ),
    'PUT upload.json': protocol.parsed(protocol.uploadRequest, upload),
    'POST places.json': protocol.parsed(protocol.placesRequest, (request) =>
      placesOf(request, project),
    ),
    'POST save.json': inTurn(protocol.saveRequest, save),
    'GET saves.json': async () => ({ saves: await saves.list() }),
    'POST undo.json': inTurn(protocol.undoRequest, ({ save }) => saves.undo(save)),
    'POST insert.json': inTurn(protocol.insertRequest, insert),
  };
}
