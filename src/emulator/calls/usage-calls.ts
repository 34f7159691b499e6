import type { Hono } from 'hono';
import { problemsIn } from '../../errors/wording.ts';
import { type CallEnvironment, type EmulatorState, requireAsset } from '../emulator-state.ts';
import { type UsagePost, type UsageRecord, usagePost } from '../library/usage-records.ts';
import { badRequest, HttpError } from './http-error.ts';
import { parseJsonBody } from './json-body.ts';

/** The usage calls: reporting (section 2.1), and listing an asset's usages. */
export function addUsageCalls(app: Hono<CallEnvironment>, state: EmulatorState): void {
  const { library, usages } = state;
  app.post('/1/files/multiple/usages', (c) => {
    const post = parseUsagePost(c.get('body'), c.req.header('Content-Type') ?? '');
    // A deleted file's usages still exist and can be removed.
    const unknown = post.id.filter((id) =>
      post.removed ? !library.knows(id) : library.find(id) === undefined,
    );
    if (unknown.length > 0) {
      const problem = `There is no file ${unknown.slice(0, 20).join(', ')}.`;
      throw new HttpError(404, 'file-unknown', `${problem} Nothing was recorded or removed.`);
    }
    usages.apply(post, c.get('user'));
    return c.json({ ok: true, files: post.id });
  });

  app.get('/1/file/:id/usage', (c) => {
    const asset = requireAsset(library.find, c.req.param('id'));
    return c.json(usages.list(asset.id).map(listedUsage));
  });
}

export function parseUsagePost(body: Uint8Array, contentType: string): UsagePost {
  const result = usagePost.safeParse(parseJsonBody(body, contentType));
  if (result.success) return result.data;
  const problems = problemsIn(result.error, 'body');
  throw badRequest('usage-invalid', `Invalid usage: ${problems.join('; ')}.`);
}

function listedUsage({ asset: _, page: url, date, type, createdBy, ...usage }: UsageRecord) {
  const names = {
    publishDate: date,
    type: type.toUpperCase(),
    url,
    createdBy: { name: createdBy },
  };
  return { ...usage, ...names };
}
