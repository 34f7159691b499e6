import { expect, test } from 'vitest';
import { serviceError } from '../../../src/service/service-error.ts';
import { createUsageSender } from '../../../src/usage/report/usage-sender.ts';
import { site, siteFields } from '../../support/ledger/usage-fixtures.ts';
import { openUsageSite } from '../../support/ledger/usage-site.ts';

const usage = {
  ...{ ...siteFields, page: `${site}/`, pageName: 'Harbour', date: '2026-03-02' },
  ...{ ids: [1], removed: false },
};

test("a request that waited for the lease isn't sent once another has stopped the run", async () => {
  const { server, store } = await openUsageSite();
  const lease = await store.lock();
  const sender = createUsageSender({
    service: server.client(),
    lease: {
      ...lease,
      async renew() {
        sender.loseLedger(new Error('The disk is full.'));
      },
    },
    signal: undefined,
  });
  const answer = await sender.send(usage);
  expect(answer).toEqual({ kind: 'unsent', mayHaveActed: false });
  expect(sender).toMatchObject({ requests: 0, failure: { ledgerLost: true } });
  expect(server.log).toEqual([]);
  await lease.release();
});

test('the reason of an unsent report is that of the last request, also on a closed idle connection', async () => {
  const { server, store } = await openUsageSite();
  const lease = await store.lock();
  const details = { call: 'POST /1/files/usage', reason: 'the connection was closed' };
  const closed = serviceError('service-unreachable', details, { effect: 'unknown', wasIdle: true });
  const { usages, ...service } = server.client();
  const sender = createUsageSender({
    service: { ...service, usages: { ...usages, report: () => Promise.reject(closed) } },
    lease,
    signal: undefined,
  });
  expect(await sender.send(usage)).toEqual({ kind: 'idle', mayHaveActed: true });
  expect(sender.reason).toBe(closed.message);
  await lease.release();
});
