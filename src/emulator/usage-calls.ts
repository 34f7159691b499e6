import type { Hono } from 'hono';
import { type CallEnvironment, type EmulatorState, requireAsset } from './emulator-state.ts';
import { Refusal } from './refusal.ts';
import { parseUsageBody } from './usage-body.ts';

/** The usage calls: the post of section 2.1, and reading an asset's usages back. */
export function addUsageCalls(
  app: Hono<CallEnvironment>,
  { library, usages }: EmulatorState,
): void {
  app.post('/1/files/multiple/usages', (c) => {
    const post = parseUsageBody(c.get('body'), c.req.header('Content-Type') ?? '');
    // The records of a deleted file are still there, and can be removed.
    const unknown = post.id.filter((id) =>
      post.removed ? !library.knows(id) : library.find(id) === undefined,
    );
    if (unknown.length > 0)
      throw new Refusal(
        404,
        'file-unknown',
        `Nothing was recorded or removed: there is no file ${unknown.slice(0, 20).join(', ')}.`,
      );
    usages.apply(post, c.get('user'));
    return c.json({ ok: true, files: post.id });
  });

  app.get('/1/file/:id/usage', (c) => {
    const asset = requireAsset(library, c.req.param('id'));
    return c.json(
      usages.list(asset.id).map((usage) => ({
        contact: usage.contact,
        project: usage.project,
        publishDate: usage.date,
        type: usage.type.toUpperCase(),
        url: usage.page,
        pageName: usage.pageName,
        description: usage.description,
        amount: usage.amount,
        created: usage.created,
        createdBy: { name: usage.createdBy },
      })),
    );
  });
}
