import { type App, type EmulatorState, requireAsset } from '../emulator-state.ts';
import type { StoredUsage } from '../library/usage-records.ts';
import { HttpError } from './http-error.ts';
import { parseUsagePost } from './json-body.ts';

/** The usage calls: reporting (section 2.1), and listing an asset's usages. */
export function addUsageCalls(app: App, state: EmulatorState): void {
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

function listedUsage({ asset: _, page: url, date, type, createdBy, ...usage }: StoredUsage) {
  const names = {
    publishDate: date,
    type: type.toUpperCase(),
    url,
    createdBy: { name: createdBy },
  };
  return { ...usage, ...names };
}
