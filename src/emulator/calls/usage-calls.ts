import type { Hono } from 'hono';
import { problemsIn } from '../../errors/wording.ts';
import { type CallEnvironment, type EmulatorState, requireAsset } from '../emulator-state.ts';
import { type StoredUsage, type UsagePost, usagePost } from '../library/usage-records.ts';
import { badRequest, HttpError } from './http-error.ts';
import { inKnownCase, parseJsonBody } from './json-body.ts';

/** The usage calls: reporting (section 2.1), and listing an asset's usages. */
export function addUsageCalls(app: Hono<CallEnvironment>, state: EmulatorState): void {
  const { library, usages, settings, clock } = state;
  const ofOne = settings.strict ? [] : ['/1/file/:id/usage'];
  app.on('POST', ['/1/files/multiple/usages', ...ofOne], (c) => {
    const missing = { id: c.req.param('id'), date: new Date(clock()).toISOString().slice(0, 10) };
    const type = c.req.header('Content-Type') ?? '';
    const post = parseUsagePost(c.get('body'), type, settings.strict ? undefined : missing);
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

/** `missing`: what a post may leave out, if it needn't have the interface's form. */
export function parseUsagePost(
  body: Uint8Array,
  contentType: string,
  missing?: { readonly id: string | undefined; readonly date: string },
): UsagePost {
  const json = parseJsonBody(body, contentType);
  const result = usagePost.safeParse(missing ? completePost(json, missing) : json);
  if (result.success) return result.data;
  const problems = problemsIn(result.error, 'body');
  throw badRequest('usage-invalid', `Invalid usage: ${problems.join('; ')}.`);
}

const pageFields = ['page', 'pageName'];

/** The usage object of section 2.1, from fields in any case, single values, numbers and texts. */
function completePost(json: unknown, missing: Readonly<Record<string, unknown>>) {
  const given = inKnownCase(json, [...Object.keys(usagePost.shape), ...pageFields]);
  const { id, amount, types, web, page, pageName, ...post } = { ...missing, ...given };
  return {
    ...{ contact: '', description: '', project: '', removed: false },
    ...Object.fromEntries(Object.entries(post).filter(([name]) => name in usagePost.shape)),
    id: [id].flat().map(Number),
    amount: String(amount ?? 1),
    types: [types ?? 'web'].flat(),
    web: { page: page ?? '', pageName: pageName ?? '', ...inKnownCase(web, pageFields) },
  };
}

function listedUsage({ asset: _, page: url, date, type, createdBy, ...usage }: StoredUsage) {
  const names = {
    publishDate: date,
    type: type.toUpperCase(),
    url,
    createdBy: { name: createdBy },
  };
  return { ...usage, ...names };
}
