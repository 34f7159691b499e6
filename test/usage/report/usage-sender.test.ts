import { expect, onTestFinished, test } from 'vitest';
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
  expect(sender.requests()).toBe(0);
  expect(sender.failure()).toMatchObject({ ledgerLost: true });
  expect(server.log).toEqual([]);
  await lease.release();
});

test('a request that was stopped while it waited is unsent, also if the run goes on before it ends', async () => {
  const { server, store } = await openUsageSite();
  const lease = await store.lock();
  onTestFinished(() => lease.release());
  const details = { call: 'POST /1/files/usage', reason: 'the connection was reset' };
  const reset = serviceError('service-unreachable', details, { effect: 'none' });
  const [failed, accepted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { usages, ...service } = server.client();
  const report: typeof usages.report = async ({ ids: [id] }, { beforeAttempt } = {}) => {
    if (id === 3) await failed.promise;
    await beforeAttempt?.().catch(async (stopped) => {
      accepted.resolve();
      await slow;
      throw stopped;
    });
    if (id === 1) throw reset;
    if (id === 2) await accepted.promise;
  };
  const sender = createUsageSender({
    ...{ service: { ...service, usages: { ...usages, report } }, lease, signal: undefined },
  });
  const slow = sender.send({ ...usage, ids: [2] });
  const waiting = sender.send({ ...usage, ids: [3] });
  for (let times = 0; times < 3; times += 1) await sender.send({ ...usage, ids: [1] });
  expect(sender.isStopped()).toBe(true);
  failed.resolve();
  expect(await waiting).toEqual({ kind: 'unsent', mayHaveActed: false });
  expect([sender.isStopped(), sender.failure()]).toEqual([false, undefined]);
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
  expect(sender.reason()).toBe(closed.message);
  await lease.release();
});

/** A sender of removals and reports of one asset each, which the service answers with a status. */
async function openSender(refusedAssets: readonly number[] = []) {
  const { server, store } = await openUsageSite();
  const lease = await store.lock();
  onTestFinished(() => lease.release());
  const service = server.client();
  const sender = createUsageSender({ service, lease, refusedAssets, signal: undefined });
  const send = (id: number, status = 200) => {
    server.treat = () => ({ status });
    return sender.send({ ...usage, ids: [id] });
  };
  return { sender, send };
}

test('a refusal is an answer, so failures before and after it are not in a row', async () => {
  const { sender, send } = await openSender();
  for (let failed = 0; failed < 2; failed += 1) await send(1, 500);
  await send(2, 422);
  for (let failed = 0; failed < 2; failed += 1) await send(3, 500);
  expect(sender.isStopped()).toBe(false);
  await send(3, 500);
  expect(sender.isStopped()).toBe(true);
});

test('an asset that was refused is remembered until a report of it is accepted', async () => {
  const { sender, send } = await openSender([7, 8, 9]);
  await send(8);
  await send(6, 422);
  await send(9, 422);
  await send(9);
  expect(sender.refusedAssets()).toEqual([6, 7, 9]);
});
