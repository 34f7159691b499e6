import { authenticate } from '../../../src/emulator/auth/authenticate.ts';
import { requireAsset } from '../../../src/emulator/emulator-state.ts';
import type { BendParts } from './bend-answers.ts';
import { changeRequest } from './send-answer.ts';

const tag = { validator: 'ETag', condition: 'If-None-Match' };
const date = { validator: 'Last-Modified', condition: 'If-Modified-Since' };

/** Where a download's bytes come from, who gets them, and their validators. */
export function bendDownloads({ app, state, settings, second }: BendParts): void {
  app.use('/1/file/:id/download/:version', async (c, next) => {
    const { validators } = settings();
    const hidden = [
      ...(validators === 'both' || validators === 'etag' ? [] : [tag]),
      ...(validators === 'both' || validators === 'last-modified' ? [] : [date]),
    ];
    if (hidden.length === 0) return next();
    changeRequest(c, {
      change: (headers) => {
        for (const { condition } of hidden) headers.delete(condition);
      },
    });
    await next();
    for (const { validator } of hidden) c.res.headers.delete(validator);
  });

  app.use('/1/file/:id/download/:version', async (c, next) => {
    const { downloads, openDownloads } = settings();
    if (openDownloads && c.req.header('Authorization') === undefined) c.set('user', '');
    if (downloads === 'bytes' || second().received(c)) return next();
    authenticate(c, state);
    const { id } = requireAsset(state.library.find, c.req.param('id'));
    const url = second().sign(id, c.req.param('version'), new URL(c.req.url).searchParams);
    return downloads === 'json' ? c.json({ url }) : c.redirect(url, 302);
  });
}
