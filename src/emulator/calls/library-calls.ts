import type { App, CallContext, EmulatorState } from '../emulator-state.ts';
import { type Asset, matchesSearch, parseId, textsOf } from '../library/asset.ts';
import type { FolderRow } from '../library/media-library.ts';
import { fileRecord, onlyValue, parseFields, selectFields } from './file-record.ts';
import { badRequest, HttpError } from './http-error.ts';

/** Folder tree, file lists and search (section 4). */
export function addLibraryCalls(app: App, state: EmulatorState): void {
  const { library } = state;

  app.get('/1/foldertree', (c) => {
    const fields = parseFields(c);
    const folders = library.folders();
    const ids = new Map(folders.map(({ id, path }) => [path, id]));
    // `depth` and `parent` are always included.
    const tree = folders.map(({ id, path }) => {
      const steps = path === '' ? [] : path.split('/');
      const parent = steps.length === 0 ? undefined : ids.get(steps.slice(0, -1).join('/'));
      const own = selectFields({ id, name: steps.at(-1) ?? 'Library', path }, fields);
      return { ...own, depth: steps.length, parent: parent ?? null };
    });
    return c.json(tree);
  });

  app.get('/1/folder/:id/files', (c) => {
    const assets = library.records();
    const folder = requireFolder(state, c.req.param('id'));
    const wanted = parseFilter(c);
    const files = assets.filter((asset) => asset.folder === folder.path && wanted(asset));
    return answerFiles(c, state, files);
  });

  app.get('/1/search/file', (c) => {
    const text = onlyValue(c, 'query') ?? '';
    if (text.trim() === '') throw badRequest('query-invalid', 'query must be text.');
    const files = library.records().filter((asset) => matchesSearch(text, textsOf(asset)));
    return answerFiles(c, state, files);
  });
}

function answerFiles(c: CallContext, state: EmulatorState, files: Asset[]): Response {
  const fields = parseFields(c);
  return c.json(files.map((asset) => fileRecord(asset, state, fields)));
}

export function requireFolder({ library }: Pick<EmulatorState, 'library'>, id: string): FolderRow {
  const wanted = parseId(id);
  const folder = wanted === undefined ? undefined : library.folder(wanted);
  if (folder === undefined)
    throw new HttpError(404, 'folder-unknown', `There is no folder ${id.slice(0, 80)}.`);
  return folder;
}

/** `type` only takes `any` (section 4). `processed` leaves out files without content. */
function parseFilter(c: CallContext): (asset: Asset) => boolean {
  const type = onlyValue(c, 'type') ?? 'any';
  if (type !== 'any')
    throw badRequest(
      'type-invalid',
      `type must be any, the only documented value; received ${type.slice(0, 80) || 'nothing'}.`,
    );
  const processed = onlyValue(c, 'processed');
  return (asset) => processed !== 'true' || asset.awaited === undefined;
}
