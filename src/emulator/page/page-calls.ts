import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { html } from 'hono/html';
import { downloadOriginal } from '../calls/download-calls.ts';
import { HttpError } from '../calls/http-error.ts';
import { type App, type EmulatorState, requireAsset } from '../emulator-state.ts';
import type { Asset } from '../library/asset.ts';
import { contentType } from '../library/asset-file.ts';
import { pageHeaders, pageLayout } from './page-layout.ts';
import { assetPage, type Card, libraryPage, maxTextLength, selectAssets } from './pages.ts';
import { createFileFacts, drawPreview, previewSizes } from './previews.ts';
import { readRights } from './rights.ts';

/** The web page: `/`, `/asset/{id}` and static files. Local, so it needs no sign-in and no log. */
export function addPageCalls(app: App, state: EmulatorState): void {
  const { library, usages, clock } = state;
  const facts = createFileFacts();
  const headers = pageHeaders();
  // A browser shows a PDF as a page, which this policy would keep empty.
  const { 'Content-Security-Policy': _, ...shownHeaders } = headers;

  const rightsOf = (asset: Asset) =>
    readRights(asset, new Date(clock()).toISOString().slice(0, 10));
  const list = (): Card[] => {
    const pages = usages.pageCounts();
    return library
      .list()
      .map((asset) => ({ asset, pages: pages.get(asset.id), rights: rightsOf(asset) }))
      .filter((listed) => !listed.asset.gone || listed.pages !== undefined);
  };

  app.get('/', async (c) => {
    const read = (name: string) => (c.req.query(name) ?? '').trim().slice(0, maxTextLength);
    const selection = { q: read('q'), folder: read('folder'), show: read('show') };
    const { found, total } = selectAssets(list(), selection);
    const shown = [];
    for (const listed of found) shown.push({ ...listed, facts: await facts(listed.asset) });
    const folders = library.folders().map(({ path }) => path);
    return c.html(await libraryPage(selection, { shown, total, folders }), 200, headers);
  });

  app.get('/asset/:id', async (c) => {
    const id = c.req.param('id');
    const asset = library.list().find((listed) => String(listed.id) === id);
    if (asset === undefined) {
      const main = html`<h1>File not found</h1>
<p>The library has no file with the ID ${id.slice(0, 80)}.</p>
<p><a href="/">Back to the library</a></p>`;
      return c.html(await pageLayout({ title: 'File not found', main }), 404, headers);
    }
    const known = { asset, facts: await facts(asset), rights: rightsOf(asset) };
    const page = assetPage(known, usages.list(asset.id), new URL(c.req.url).search);
    return c.html(await page, 200, headers);
  });

  app.get('/asset/:id/original', (c) => downloadOriginal(c, state));

  app.get('/asset/:id/shown', async (c) => {
    const asset = requireAsset(library.find, c.req.param('id'));
    const type = contentType(asset.name);
    // Another file, such as HTML, could act as one of these pages.
    if (!/^(?:audio|video)\/|^application\/pdf$/.test(type)) return c.notFound();
    const answer = await serveStatic({ path: asset.file })(c, async () => {});
    if (!answer) return c.notFound();
    answer.headers.set('Content-Type', type);
    for (const [name, value] of Object.entries(shownHeaders)) answer.headers.set(name, value);
    return answer;
  });

  app.get('/preview/:id/:name', async (c) => {
    const asset = requireAsset(library.find, c.req.param('id'));
    const side = previewSizes.find((pixels) => c.req.param('name') === `${pixels}.webp`);
    if (side === undefined) return c.notFound();
    if (!(await facts(asset))?.pixels)
      throw new HttpError(415, 'not-a-picture', `File ${asset.id} can't be shown as an image.`);
    const bytes = await drawPreview(asset.file, side);
    // Pages name the file's version after it.
    const cached = { ...headers, 'Cache-Control': 'private, max-age=31536000, immutable' };
    return new Response(bytes, { headers: { ...cached, 'Content-Type': 'image/webp' } });
  });

  app.get(
    '/page/*',
    serveStatic({
      root: fileURLToPath(new URL('static/', import.meta.url)),
      rewriteRequestPath: (requested) => requested.slice('/page/'.length),
      onFound(_, c) {
        for (const [name, value] of Object.entries(headers)) c.header(name, value);
      },
    }),
  );
}
