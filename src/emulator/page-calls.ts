import { join } from 'node:path';
import type { Hono } from 'hono';
import { assetPage } from './asset-page.ts';
import { downloadOriginal } from './download-calls.ts';
import {
  type Call,
  type CallEnvironment,
  type EmulatorState,
  requireAsset,
} from './emulator-state.ts';
import { createFileFacts, type FileFacts } from './file-facts.ts';
import { libraryPage } from './library-page.ts';
import { type ListedAsset, parseLibraryQuery, selectAssets } from './library-query.ts';
import { readPageFiles } from './page-files.ts';
import { absencePage, pageHeaders } from './page-layout.ts';
import { Refusal } from './refusal.ts';
import { namesLoopbackHost } from './require-loopback.ts';
import { createThumbnails, thumbnailSizes } from './thumbnails.ts';
import { isUnchanged, validatorHeaders } from './validators.ts';

/**
 * What an editor looks at: the library at `/`, an asset at `/asset/{id}`, and what they load. No
 * sign-in: it is this machine's. Nothing here is logged or meets a fault.
 */
export function addPageCalls(app: Hono<CallEnvironment>, state: EmulatorState): void {
  const { data, library, usages, changes } = state;
  const facts = createFileFacts();
  const thumbnail = createThumbnails({ facts, folder: join(data, 'thumbnails') });
  const files = readPageFiles();

  /** The library, and those deleted files that a page is still on record for. */
  const list = (): ListedAsset[] => {
    const pages = usages.pageCounts();
    return library
      .list()
      .map((asset) => ({ asset, pages: pages.get(asset.id) ?? 0 }))
      .filter((listed) => !listed.asset.gone || listed.pages > 0);
  };

  const get = (path: string, answer: (c: Call) => Promise<Response> | Response): void => {
    // Under another host's name it is a request like any other: logged, and refused.
    app.get(path, async (c, next) => (namesLoopbackHost(c) ? answer(c) : next()));
  };

  get('/', async (c) => {
    const query = parseLibraryQuery(new URL(c.req.url).searchParams);
    const assets = list();
    const selection = selectAssets(assets, query);
    const known = new Map<number, FileFacts>();
    for (const { asset } of selection.shown) {
      const found = asset.gone ? undefined : await facts(asset);
      if (found !== undefined) known.set(asset.id, found);
    }
    const page = await libraryPage({ query, selection, facts: known, assets });
    return c.html(page, 200, pageHeaders);
  });

  get('/asset/:id', async (c) => {
    const id = c.req.param('id') ?? '';
    const asset = library.list().find((listed) => String(listed.id) === id);
    if (asset === undefined) {
      const text = `The library has no file with the id ${id.slice(0, 80)}.`;
      return c.html(await absencePage({ title: 'No such file', text }), 404, pageHeaders);
    }
    const found = asset.gone ? undefined : await facts(asset);
    const page = await assetPage({ asset, facts: found, usages: usages.list(asset.id) });
    return c.html(page, 200, pageHeaders);
  });

  get('/asset/:id/original', (c) => downloadOriginal(c, state));

  get('/preview/:id/:name', async (c) => {
    const asset = requireAsset(library, c.req.param('id') ?? '');
    const size = thumbnailSizes.find((pixels) => c.req.param('name') === `${pixels}.webp`);
    if (size === undefined)
      throw new Refusal(404, 'path-unknown', `There is no ${c.req.path.slice(0, 200)}.`);
    return sendFile(c, { ...(await thumbnail(asset, size)), type: 'image/webp' });
  });

  get('/page/changes', () => {
    const headers = { ...pageHeaders, 'Content-Type': 'text/event-stream' };
    return new Response(changes.stream(), { headers });
  });

  get('/page/:name', (c) => {
    const file = files.get(c.req.param('name') ?? '');
    if (file === undefined)
      throw new Refusal(404, 'path-unknown', `There is no ${c.req.path.slice(0, 200)}.`);
    return sendFile(c, file);
  });
}

function sendFile(
  c: Call,
  { bytes, type, tag }: { bytes: Uint8Array<ArrayBuffer>; type: string; tag: string },
): Response {
  const version = { tag, modified: new Date(0) };
  const headers = {
    ...pageHeaders,
    ...validatorHeaders(version, 'etag'),
    'Cache-Control': 'no-cache',
  };
  if (isUnchanged({ request: c.req.raw.headers, version, validators: 'etag' }))
    return new Response(null, { status: 304, headers });
  return new Response(bytes, {
    headers: { ...headers, 'Content-Type': type, 'Content-Length': String(bytes.length) },
  });
}
