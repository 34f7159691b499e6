import type { Hono } from 'hono';
import {
  type CallContext,
  type CallEnvironment,
  type EmulatorState,
  requireAsset,
} from '../emulator-state.ts';
import { maintenancePage } from '../faults/fault-answers.ts';
import type { UsageRecord } from '../library/usage-records.ts';
import type { EmulatorSettings } from '../settings.ts';
import { answerList } from './answer-list.ts';
import { HttpError } from './http-error.ts';
import { parseUsageBody, type UsageBody } from './usage-body.ts';

/** The usage calls: reporting (section 2.1), and listing an asset's usages. */
export function addUsageCalls(app: Hono<CallEnvironment>, state: EmulatorState): void {
  const { library, usages, settings } = state;
  app.post('/1/files/multiple/usages', (c) => {
    const { usageAnswer, batches } = settings();
    if (usageAnswer === 'html') {
      c.set('effect', false);
      return maintenancePage(200);
    }
    const post = parseUsageBody(c.get('body'), c.req.header('Content-Type') ?? '');
    const { bad, refusal } = findBadIds(post, state);
    const good = post.id.filter((id) => !bad.has(id));
    const partial = batches === 'part' && good.length > 0;
    if (refusal === undefined || partial) usages.apply({ ...post, id: good }, c.get('user'));
    c.set('effect', refusal === undefined || partial);
    if (refusal !== undefined) {
      const done = partial ? 'The other files were processed.' : 'Nothing was recorded or removed.';
      throw new HttpError(refusal.status, refusal.code, `${refusal.message} ${done}`);
    }
    return usageDone(c, usageAnswer, post.id);
  });

  app.get('/1/file/:id/usage', (c) => {
    const { usageList, usageRecord, pageSize } = settings();
    if (usageList === 'missing') throw new HttpError(404, 'call-unknown', 'There is no such call.');
    const asset = requireAsset(library, c.req.param('id'));
    return answerList(c, {
      name: 'usages',
      items: usages.list(asset.id),
      record: usageRecord === 'flat' ? flatRecord : postedRecord,
      settings: {
        fileListAnswer: usageList === 'bare' ? 'bare' : 'wrapped',
        paging: usageList === 'paged' ? 'next' : 'none',
        pageSize,
      },
    });
  });
}

function flatRecord(usage: UsageRecord) {
  const { contact, project, description, amount, created, createdBy } = usage;
  return {
    contact,
    project,
    publishDate: usage.date,
    type: usage.type.toUpperCase(),
    url: usage.page,
    pageName: usage.pageName,
    description,
    amount,
    created,
    createdBy: { name: createdBy },
  };
}

/** With the fields of section 2.1. */
function postedRecord(usage: UsageRecord) {
  const { contact, date, amount, description, project, type, page, pageName } = usage;
  return {
    contact,
    date,
    amount,
    description,
    project,
    types: [type],
    removed: 'false',
    web: { page, pageName },
  };
}

function findBadIds(
  post: UsageBody,
  { library, usages, settings }: EmulatorState,
): { bad: ReadonlySet<number>; refusal?: HttpError } {
  const { removalOfNothing } = settings();
  // A deleted file's usages still exist and can be removed.
  const unknown = post.id.filter((id) =>
    post.removed ? !library.knows(id) : library.find(id) === undefined,
  );
  const unused =
    post.removed && removalOfNothing !== 200
      ? post.id.filter((id) => !unknown.includes(id) && !usages.matches(post, id))
      : [];
  const bad = new Set([...unknown, ...unused]);
  if (unknown.length > 0)
    return {
      bad,
      refusal: new HttpError(404, 'file-unknown', `There is no file ${some(unknown)}.`),
    };
  if (unused.length > 0)
    return {
      bad,
      refusal: new HttpError(
        removalOfNothing,
        'usage-unknown',
        `There is no such usage of file ${some(unused)}.`,
      ),
    };
  return { bad };
}

function some(ids: readonly number[]): string {
  return ids.slice(0, 20).join(', ');
}

function usageDone(
  c: CallContext,
  form: Exclude<EmulatorSettings['usageAnswer'], 'html'>,
  files: readonly number[],
): Response {
  switch (form) {
    case 'json':
      return c.json({ ok: true, files });
    case 'text':
      return new Response('OK', { headers: { 'Content-Type': 'text/plain' } });
    case 'empty':
      return c.body(null, 200, { 'Content-Length': '0' });
  }
}
