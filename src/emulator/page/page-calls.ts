import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { downloadOriginal, isUnchanged, validatorHeaders } from '../calls/download-calls.ts';
import { HttpError } from '../calls/http-error.ts';
import {
  type CallContext,
  type CallEnvironment,
  type EmulatorState,
  namesLoopbackHost,
  requireAsset,
} from '../emulator-state.ts';
import { pageHeaders, pageLayout } from './page-layout.ts';
import { assetPage, type Card, libraryPage, maxTextLength, selectAssets } from './pages.ts';
import { createFileFacts, drawPreview, previewSizes } from './previews.ts';

/**
 * The web page: the library at `/`, an asset at `/asset/{id}`, and their static files. Needs no
 * sign-in, because it's only on this machine. Isn't logged.
 */
export function addPageCalls(app: Hono<CallEnvironment>, state: EmulatorState): void {
  const { library, usages } = state;
  const facts = createFileFacts();
  const headers = pageHeaders();

  const list = (): Card[] => {
    const pages = usages.pageCounts();
    return library
      .list()
      .map((asset) => ({ asset, pages: pages.get(asset.id) }))
      .filter((listed) => !listed.asset.gone || listed.pages !== undefined);
  };

  const get = (path: string, answer: (c: CallContext) => Promise<Response> | Response): void => {
    // Under another host name it's a normal request: logged and refused.
    app.get(path, async (c, next) => (namesLoopbackHost(c) ? answer(c) : next()));
  };

  get('/', async (c) => {
    const text = (c.req.query('q') ?? '').trim().slice(0, maxTextLength);
    const { found, total } = selectAssets(list(), text);
    const shown = [];
    for (const listed of found) shown.push({ ...listed, facts: await facts(listed.asset) });
    return c.html(await libraryPage(text, shown, total), 200, headers);
  });

  get('/asset/:id', async (c) => {
    const id = c.req.param('id') ?? '';
    const asset = library.list().find((listed) => String(listed.id) === id);
    if (asset === undefined) {
      const main = html`<h1>File not found</h1>
<p>The library has no file with the ID ${id.slice(0, 80)}.</p>
<p><a href="/">Back to the library</a></p>`;
      return c.html(await pageLayout({ title: 'File not found', main }), 404, headers);
    }
    const page = await assetPage(asset, await facts(asset), usages.list(asset.id));
    return c.html(page, 200, headers);
  });

  get('/asset/:id/original', (c) => downloadOriginal(c, state));

  get('/preview/:id/:name', async (c) => {
    const asset = requireAsset(library.find, c.req.param('id') ?? '');
    const side = previewSizes.find((pixels) => c.req.param('name') === `${pixels}.webp`);
    if (side === undefined) return c.notFound();
    const found = await facts(asset);
    if (found?.pixels === undefined)
      throw new HttpError(415, 'not-a-picture', `File ${asset.id} can't be shown as an image.`);
    const preview = { ...found, version: `${asset.id}-${found.version}-${side}` };
    const cached = { ...headers, ...validatorHeaders(preview), 'Cache-Control': 'no-cache' };
    if (isUnchanged(c.req.raw.headers, preview))
      return new Response(null, { status: 304, headers: cached });
    const bytes = await drawPreview(asset.file, side);
    return new Response(bytes, { headers: { ...cached, 'Content-Type': 'image/webp' } });
  });

  const answerStatic = serveStatic<CallEnvironment>({
    root: fileURLToPath(new URL('static/', import.meta.url)),
    rewriteRequestPath: (requested) => requested.slice('/page/'.length),
    onFound(_, c) {
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
    },
  });
  app.get('/page/*', (c, next) => (namesLoopbackHost(c) ? answerStatic(c, next) : next()));
}
