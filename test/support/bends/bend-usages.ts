import { authenticate } from '../../../src/emulator/auth/authenticate.ts';
import { HttpError } from '../../../src/emulator/calls/http-error.ts';
import { parseUsagePost } from '../../../src/emulator/calls/json-body.ts';
import type { EmulatorState } from '../../../src/emulator/emulator-state.ts';
import { inTransaction } from '../../../src/emulator/library/open-database.ts';
import { type UsagePost, usageRecord } from '../../../src/emulator/library/usage-post.ts';
import type { BendParts } from './bend-answers.ts';
import { type BendSettings, bendDefaults } from './bend-settings.ts';
import { maintenancePage } from './faults/fault-answers.ts';

/** The settings that decide on a usage post. */
const names = [
  'usages',
  'removalMatches',
  'removalTakes',
  'removalOfNothing',
  'batches',
  'usageAnswer',
] as const;

type Reading = Pick<BendSettings, (typeof names)[number]>;

/** What a usage post does, and how it's answered. */
export function bendUsages({ app, state, settings, log }: BendParts): void {
  const { library } = state;
  const records = createBentUsages(state);
  app.use('/1/files/multiple/usages', async (c, next) => {
    const reading = settings();
    if (c.req.method !== 'POST' || names.every((name) => reading[name] === bendDefaults[name]))
      return next();
    authenticate(c, state);
    if (reading.usageAnswer === 'html') {
      log.note(c, { effect: false });
      return maintenancePage(200);
    }
    const post = parseUsagePost(c.get('body'), c.req.header('Content-Type') ?? '');
    // A deleted file's usages still exist and can be removed.
    const unknown = post.id.filter((id) =>
      post.removed ? !library.knows(id) : library.find(id) === undefined,
    );
    const unused = post.id.filter(
      (id) =>
        post.removed &&
        reading.removalOfNothing !== 200 &&
        !unknown.includes(id) &&
        records.matching(post, id, reading).length === 0,
    );
    const good = post.id.filter((id) => !unknown.includes(id) && !unused.includes(id));
    const isWhole = good.length === post.id.length;
    const isDone = isWhole || (reading.batches === 'part' && good.length > 0);
    if (isDone) records.apply({ ...post, id: good }, c.get('user'), reading);
    log.note(c, { effect: isDone });
    if (unknown.length > 0)
      throw new HttpError(404, 'file-unknown', `There is no file ${unknown.slice(0, 20)}.`);
    if (unused.length > 0)
      throw new HttpError(
        reading.removalOfNothing,
        'usage-unknown',
        `There is no such usage of file ${unused.slice(0, 20)}.`,
      );
    switch (reading.usageAnswer) {
      case 'json':
        return c.json({ ok: true, files: post.id });
      case 'text':
        return new Response('OK', { headers: { 'Content-Type': 'text/plain' } });
      case 'empty':
        return c.body(null, 200, { 'Content-Length': '0' });
    }
  });
}

const matching = {
  page: '',
  'page-project': 'AND project = :project',
  'all-fields': `AND page_name = :pageName AND project = :project AND contact = :contact
    AND date = :date AND amount = :amount AND description = :description AND type = :type`,
} satisfies Record<Reading['removalMatches'], string>;

/** The emulator's usage records, as other services would change them. */
function createBentUsages({ database, usages }: EmulatorState) {
  const remove = database.prepare('DELETE FROM usage WHERE record = ?');
  const add = database.prepare(
    `INSERT INTO usage (asset, page, page_name, project, contact, date, amount, description, type,
      created, created_by)
      VALUES (:asset, :page, :pageName, :project, :contact, :date, :amount, :description, :type,
      :created, :createdBy)`,
  );
  /** The records that a removal matches, oldest first. */
  const match = (post: UsagePost, asset: number, { removalMatches }: Reading): number[] => {
    const find = database.prepare(
      `SELECT record FROM usage WHERE asset = :asset AND page = :page ${matching[removalMatches]}
        ORDER BY record`,
    );
    find.setAllowUnknownNamedParameters(true);
    return find.all(usageRecord(post, asset)).map(({ record }) => Number(record));
  };
  return {
    matching: match,
    apply(post: UsagePost, user: string, reading: Reading): void {
      if (!post.removed && reading.usages === 'overwrite') {
        usages.apply(post, user);
        return;
      }
      inTransaction(database, () => {
        for (const asset of post.id)
          if (post.removed) {
            const found = match(post, asset, reading);
            for (const record of reading.removalTakes === 'all' ? found : found.slice(0, 1))
              remove.run(record);
          } else {
            const created = new Date().toISOString();
            add.run({ ...usageRecord(post, asset), created, createdBy: user });
          }
      });
    },
  };
}
