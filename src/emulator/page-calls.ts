import type { Hono } from 'hono';
import { previewPicture } from './cut-picture.ts';
import { type CallEnvironment, type EmulatorState, requireAsset } from './emulator-state.ts';
import { libraryPage } from './library-page.ts';
import { Refusal } from './refusal.ts';
import { isUnchanged, validatorHeaders } from './validators.ts';

/** What an editor looks at: the library at `/`, with previews. No sign-in: it is this machine's. */
export function addPageCalls(app: Hono<CallEnvironment>, { library, usages }: EmulatorState): void {
  app.get('/', async (c) => {
    const page = await libraryPage({ assets: library.list(), usages: usages.list() });
    return c.html(page, 200, {
      'Content-Security-Policy':
        "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
  });

  app.get('/preview/:name{\\d+\\.jpg}', async (c) => {
    const asset = requireAsset(library, c.req.param('name').replace('.jpg', ''));
    const file = await library.open(asset);
    if (file === undefined) throw new Refusal(404, 'file-unknown', `There is no file ${asset.id}.`);
    try {
      const version = { tag: `preview-${file.sha256}`, modified: file.modified };
      const headers = { ...validatorHeaders(version, 'etag'), 'Cache-Control': 'no-cache' };
      if (isUnchanged({ request: c.req.raw.headers, version, validators: 'etag' }))
        return new Response(null, { status: 304, headers });
      const bytes = await previewPicture(await file.handle.readFile());
      return new Response(bytes, {
        headers: {
          ...headers,
          'Content-Type': 'image/jpeg',
          'Content-Length': String(bytes.length),
        },
      });
    } finally {
      await file.handle.close();
    }
  });
}
