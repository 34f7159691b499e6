import { beforeEach, describe, expect, test } from 'vitest';
import { loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { heldIds, manifestOf, pairsOf, site } from '../../support/ledger/usage-fixtures.ts';
import { openUsageSite, type UsageSite } from '../../support/ledger/usage-site.ts';

let usageSite: UsageSite;

beforeEach(async () => {
  usageSite = await openUsageSite();
});

const shown = manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The quay', 2, 3] });
const full = manifestOf({ '/': ['Harbour', 1], '/old/': ['Old', ...heldIds] });
const few = manifestOf({ '/': ['Harbour', 1] });

const ledger = async () => (await loadLedger(usageSite.store, usageSite.identity)).ledger;

describe('the ledger records about its last run', () => {
  test('its end and its results', async () => {
    await usageSite.report(shown);
    expect((await ledger()).lastRun).toEqual({
      at: '2026-03-02T08:00:00.000Z',
      reported: 4,
      removed: 0,
      requests: 2,
      unsent: 0,
      held: 0,
      refusals: 0,
      refused: [],
    });
  });

  test.each([
    [422, 'no such file'],
    [422, 'it was answered with 422: no such file'],
    [403, 'The service forbids it (403): no such file'],
  ])("the usages refused with %i, with the service's own words: %s", async (status, message) => {
    usageSite.server.treat = ({ ids }) =>
      ids.includes(3) ? { status, body: JSON.stringify({ message }) } : 'done';
    await usageSite.report(shown);
    const refused = [{ page: `${site}/quay/`, id: 3, removed: false, status, text: message }];
    expect((await ledger()).lastRun).toMatchObject({ unsent: 1, refusals: 1, refused });
  });

  test.each([
    ['the reason for unsent usages', 503, /503/],
    ['the error that stopped it', 401, /token/],
  ])('%s', async (_, status, reason) => {
    usageSite.server.treat = () => ({ status });
    await usageSite.report(shown).catch(() => {});
    const { lastRun } = await ledger();
    expect(lastRun).toMatchObject({ unsent: 4, reason: expect.stringMatching(reason) });
  });

  test('blocked usages, once, until they are no longer blocked', async () => {
    await usageSite.report(full);
    await usageSite.report(few);
    expect((await ledger()).lastRun).toMatchObject({ requests: 0, held: heldIds.length });
    const text = await usageSite.ledger();
    usageSite.now += 1000;
    await usageSite.report(few);
    expect(await usageSite.ledger()).toBe(text);
    await usageSite.report(full);
    expect((await ledger()).lastRun).toMatchObject({ requests: 0, held: 0 });
  });
});

describe('a time limit', () => {
  const timeout = new DOMException('The operation timed out.', 'TimeoutError');

  test('ends a run cleanly: the rest is unsent, and the next run sends it', async () => {
    const ended = new AbortController();
    usageSite.server.treat = () => {
      ended.abort(timeout);
      return 'done';
    };
    const options = { signal: ended.signal, concurrency: 1 };
    const reason = 'The time limit of the run was reached.';
    const first = { reported: 2, requests: 1, unsent: 2, outcome: 'unsent', reason };
    expect(await usageSite.report(shown, options)).toMatchObject(first);
    const none = { reported: 0, requests: 0, unsent: 2, outcome: 'unsent', reason };
    expect(await usageSite.report(shown, options)).toMatchObject(none);
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(shown)).toMatchObject({ reported: 2, outcome: 'done' });
    expect(usageSite.server.model.list()).toEqual(pairsOf(shown));
  });
});

test('an unsent report is forgotten once its usage is no longer shown', async () => {
  await usageSite.report(shown);
  usageSite.server.treat = ({ removed }) => (removed ? 'done' : { status: 429 });
  await usageSite.report(manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The old quay', 2, 3] }));
  usageSite.server.treat = () => 'done';
  await usageSite.report(manifestOf({ '/': ['Harbour', 1, 2] }));
  expect([...(await ledger()).pages.keys()]).toEqual([`${site}/`]);
});
