import { expect, test } from 'vitest';
import { createUsageSender } from '../../../src/usage/report/usage-sender.ts';
import { site, siteFields } from '../../support/ledger/usage-fixtures.ts';
import { openUsageSite } from '../../support/ledger/usage-site.ts';

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
  const usage = { ...siteFields, page: `${site}/`, pageName: 'Harbour', date: '2026-03-02' };
  const answer = await sender.send({ ...usage, ids: [1], removed: false });
  expect(answer).toEqual({ kind: 'unsent', mayHaveActed: false });
  expect(sender).toMatchObject({ requests: 0, failure: { ledgerLost: true } });
  expect(server.log).toEqual([]);
  await lease.release();
});
