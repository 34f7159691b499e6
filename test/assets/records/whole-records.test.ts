import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { listRights } from '../../../src/assets/records/list-rights.ts';
import { createRecords, recordRule } from '../../../src/assets/records/records.ts';
import type { RightsRule } from '../../../src/assets/records/verdict.ts';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import type { AssetFacts } from '../../../src/assets/store/asset-facts.ts';
import { assetFolders } from '../../../src/assets/store/asset-folder.ts';
import type { AssetStore } from '../../../src/assets/store/asset-store.ts';
import { siteLanguages } from '../../../src/config/languages.ts';
import { ServiceError } from '../../../src/service/service-error.ts';
import type { MediaService } from '../../../src/service/types.ts';
import { failureOf } from '../../service/scripted-service.ts';
import type { EmulatorProcess } from '../../support/service/emulator-process.ts';
import { cacheFolder, emulatorClient, newBuild, openSite, startService } from '../open-images.ts';

const images = Array.from({ length: 7 }, (_, seed) => ({
  path: `boats/${seed}.png`,
  width: 4,
  height: 3,
  seed,
}));
const ids = images.map((_, index) => 4711 + index);
const ended = '2020-12-31';
const languages = siteLanguages({ base: '/' });

const rights: RightsRule = {
  fields: ['gdprStatus', 'licenceTo'],
  read: ({ gdprStatus, licenceTo }) => ({
    state: gdprStatus === 'withdrawn' ? 'forbidden' : 'allowed',
    until: licenceTo,
  }),
  ...{ forbidden: 'fail', unknown: 'forbid', warnDays: 30 },
};
const record = { fields: ['alttext'], read: () => ({ alt: 'A boat' }) };

/** Why a build doesn't show the assets, by ID; `shown` for those that it shows. */
async function build(emulator: EmulatorProcess, rule: RightsRule = rights) {
  const site = await newBuild(emulator, { record, rights: rule });
  // All at once, as at the start of a build, so that their folder is listed.
  await site.prefetch(async () => ids);
  const shown = await Promise.allSettled(ids.map((id) => site.show(id)));
  const emitted = await site.emit({ addresses: [], write: async () => {} });
  const reasons = shown.map((one) =>
    one.status === 'fulfilled' ? 'shown' : /\((.*?)\)/.exec(one.reason.message)?.[1],
  );
  return { reasons, notes: emitted };
}

const all = <T>(value: T) => Array<T>(7).fill(value);
const endedText = `rights ended on ${ended}`;

describe('of seven assets whose rights have ended, none is published', () => {
  const services = {
    'by a service whose lists have all fields': {},
    'by a service whose lists lack the field': { listedFields: 'id,name,alttext,gdprStatus' },
    'by a service whose lists lack all fields': { listedFields: 'id' },
  };

  test.each(Object.entries(services))('%s', async (_, bends) => {
    const emulator = await startService(images, bends);
    const service = emulatorClient(emulator);
    for (const id of ids)
      await service.files.update(id, { gdprStatus: 'OK', licenceTo: ended, alttext: 'A boat' });
    expect((await build(emulator)).reasons).toEqual(all(endedText));
    const listed = await listRights(service, {
      ...{ cacheDir: await cacheFolder(), languages, now: Date.now() },
      pages: new Map(ids.map((id) => [id, ['/']])),
      record: recordRule({ rights }) ?? expect.fail(),
    });
    expect(listed.map(({ state, reason }) => `${state} ${reason}`)).toEqual(
      all(`forbidden ${endedText}`),
    );
  });

  test.each([
    [
      'without a call for one record',
      { listedFields: 'id,gdprStatus', recordCall: 'missing' } as const,
      "no `licenceTo` in its folder's list, and the service gives no own record",
    ],
    [
      'which knows the names in another case only',
      { fieldNames: 'lower case' } as const,
      "no `gdprStatus`, `licenceTo` in its folder's list or its own record",
    ],
  ])('by a service %s', async (_, bends, reason) => {
    const emulator = await startService(images, bends);
    const service = emulatorClient(emulator);
    for (const id of ids) await service.files.update(id, { gdprStatus: 'OK', licenceTo: ended });
    expect((await build(emulator)).reasons).toEqual(all(reason));
  });

  test('that are not there, with a `read` that only sets `until`', async () => {
    const emulator = await startService(images.slice(0, 1));
    const read: RightsRule['read'] = ({ licenceTo }) => ({ until: licenceTo });
    const site = await newBuild(emulator, { rights: { ...rights, read } });
    const thrown = await failureOf(site.getMediaCredit({ id: 9999, page: '/' }));
    expect(thrown.message).toContain('asset 9999 (no record)');
  });
});

describe('the texts of seven assets are those of their records', () => {
  const credited = {
    fields: ['alttext', 'photographer'],
    read: ({ alttext, photographer }: Record<string, string | undefined>) => ({
      ...{ alt: alttext ?? '', credit: photographer },
    }),
  };

  test.each([
    ['all fields', {}],
    ['no field of texts', { listedFields: 'id,name' }],
    ['one field of texts', { listedFields: 'id,name,alttext' }],
  ])('with lists that have %s', async (_, bends) => {
    const emulator = await startService(images, bends);
    const service = emulatorClient(emulator);
    for (const [index, id] of ids.entries()) {
      const photographer = index % 2 === 0 ? `Ada ${index}` : undefined;
      await service.files.update(id, {
        alttext: `Boat ${index}`,
        ...(photographer && { photographer }),
      });
    }
    const site = await newBuild(emulator, { record: credited });
    await site.prefetch(async () => ids);
    const shown = await Promise.all(
      ids.map((id) => site.getMediaAsset({ id, page: '/' } as MediaAssetRequest)),
    );
    expect(shown.map(({ alt }) => alt)).toEqual(ids.map((_, index) => `Boat ${index}`));
    expect(shown.map(({ credit }) => credit)).toEqual(
      ids.map((_, index) => (index % 2 === 0 ? `Ada ${index}` : undefined)),
    );
  });

  test('and fields that no record has cost eight requests', async () => {
    const many = Array.from({ length: 40 }, (_, seed) => ({
      ...images[0],
      path: `${seed}.png`,
      seed,
    }));
    const emulator = await startService(many as typeof images);
    const site = await newBuild(emulator, { record: credited });
    const all = many.map((_, index) => 4711 + index);
    await site.prefetch(async () => all);
    emulator.clearLog();
    await Promise.all(all.map((id) => site.show(id)));
    const single = emulator.log().filter(({ path }) => /\/1\/file\/\d+$/.test(path));
    expect(single).toHaveLength(8);
  });
});

describe('of seven assets, three of them without consent and one with an end', async () => {
  const emulator = await startService(images);
  const service = emulatorClient(emulator);
  await Promise.all(
    ids.map((id, index) =>
      service.files.update(id, {
        gdprStatus: index < 3 ? 'withdrawn' : 'OK',
        ...(index === 6 && { licenceTo: '2126-01-01' }),
      }),
    ),
  );

  test('all are listed: the forbidden first, then by their end, then by ID', async () => {
    const listed = await listRights(service, {
      ...{ cacheDir: await cacheFolder(), languages, now: Date.now() },
      pages: new Map(ids.toReversed().map((id) => [id, ['/']])),
      record: recordRule({ rights: { ...rights, optional: ['licenceTo'] } }) ?? expect.fail(),
    });
    const order = [4711, 4712, 4713, 4717, 4714, 4715, 4716];
    expect(listed.map(({ id }) => id)).toEqual(order);
  });

  test('the others are published, since the end is a field of the service', async () => {
    const { reasons } = await build(emulator);
    expect(reasons.map((reason) => reason === 'shown')).toEqual(ids.map((id) => id > 4713));
  });

  test('those are unknown that lack a field that no answer has, unless it is optional', async () => {
    const own = { ...rights, fields: ['gdprStatus', 'useTo'], read: () => ({}) };
    const { reasons } = await build(emulator, own);
    expect(reasons).toEqual(all("no `useTo` in its folder's list or its own record"));
    const { reasons: others, notes } = await build(emulator, { ...own, optional: ['useTo'] });
    expect(others).toEqual(all('shown'));
    expect(notes.map(({ code, message }) => [code, message])).toEqual([
      ['fields-unseen', expect.stringContaining('No answer of the service has `alttext`, `useTo`')],
    ]);
  });

  test('with `unknown: warn`, the finding names the field and the answers that lack it', async () => {
    const own: RightsRule = { ...rights, fields: ['useTo'], unknown: 'warn' };
    const site = await newBuild(emulator, { rights: own });
    const shown = await site.show(4717);
    await site.publish(shown);
    const found = site.findings.find(({ code }) => code === 'rights-unknown');
    expect(found?.message).toContain('asset 4717 (no `useTo` in its own record');
    expect(found?.hint).toContain('`rights.optional`');
  });

  test('all are published without `rights.fields`', async () => {
    const { fields: _, read: __, ...policy } = rights;
    expect((await build(emulator, policy)).reasons).toEqual(all('shown'));
  });

  test('one request asks for the fields of texts and of rights', async () => {
    emulator.clearLog();
    const site = await newBuild(emulator, { record, rights });
    await site.show(4717);
    const asked = emulator.log().filter(({ path }) => /\/file\/\d+$|\/files$/.test(path));
    expect(asked[0]?.query).toContain('fields=id,alttext,gdprStatus,licenceTo');
  });
});

test('in an outage, only facts that say what they lack are known', async () => {
  const emulator = await startService(images, { listedFields: 'id' });
  for (const id of ids)
    await emulatorClient(emulator).files.update(id, { gdprStatus: 'OK', licenceTo: '2126-01-01' });
  const { open, cacheDir } = await openSite(emulator, { attempts: 1 }, { rights });
  const first = open();
  await first.publish(await first.show(4711), await first.show(4712), await first.show(4713));
  await emulator.stop();
  const change = async (id: number, to: (text: string) => string) => {
    const folder = assetFolders(cacheDir).find((one) => one.id === id);
    const file = join(folder?.path ?? '', 'facts.json');
    await writeFile(file, to(await readFile(file, 'utf8')));
  };
  await change(4712, (text) => text.replace('"lacking":[],', ''));
  await change(4713, (text) => text.replace('"version":4', '"version":3'));
  const build = open();
  await build.checkUsed();
  const codes = [4711, 4712, 4713, 4714].map((id) => build.show(id).catch(({ code }) => code));
  expect(await Promise.all(codes)).toEqual([
    expect.objectContaining({ id: 4711 }),
    ...Array<string>(3).fill('service-unreachable'),
  ]);
});

describe('what a page has been judged by is judged again, once later answers show that lists omit a value', () => {
  const day = '2030-01-01';
  const own: Record<number, Record<string, unknown>> = {
    ...{ 1: { consent: 'OK', until: day }, 2: { consent: 'OK' } },
    ...{ 3: { consent: 'OK', until: ended }, 4: { consent: 'OK', until: ended } },
  };
  const listed = { ...own, 3: { consent: 'OK' }, 4: {} };
  const toRecord = (id: number, fields: Record<string, unknown>) => ({
    ...{ id, name: undefined, filename: undefined, fields: { id, ...fields } },
  });

  /** A build that has judged asset 3 by its list, and then asset 4 by its own record. */
  async function judge(unknown: RightsRule['unknown'] = 'forbid') {
    const text = { message: 'The service is down.', hint: '' };
    const failure = new ServiceError('service-unreachable', text, { effect: 'none' });
    let isDown = false;
    const service = {
      clockAhead: () => 0,
      folders: {
        async *files() {
          for (const [id, fields] of Object.entries(listed)) yield toRecord(Number(id), fields);
        },
      },
      files: {
        async record(id: number) {
          if (isDown) throw failure;
          return toRecord(id, own[id] ?? {});
        },
      },
    } as unknown as MediaService;
    const facts = new Map<number, Partial<AssetFacts>>();
    const folder = { folder: 7, outcomes: {} };
    const store = {
      facts: (id: number) => facts.get(id) ?? { record: folder },
      note: (id: number, news: Partial<AssetFacts>) => facts.set(id, { ...facts.get(id), ...news }),
    } as unknown as AssetStore;
    const noted: unknown[] = [];
    const records = createRecords({
      ...{ service, store, languages, mode: 'build', hasCredentials: true },
      ...{ clock: Date.now, onBackgroundFailure: (...about) => noted.push(about) },
      rule: {
        texts: undefined,
        rights: {
          ...{ ...rights, fields: ['consent', 'until'], unknown },
          read: ({ until }) => ({ until }),
        },
      },
    });
    const use = { shownIn: languages.all, texts: '' };
    const verdict = async (id: number) => (await records.find(id, use))?.verdict;
    const states = async (...ids: number[]) =>
      (await Promise.all(ids.map(verdict))).map((one) => one?.state);
    expect(await states(1, 2, 3)).toEqual(['allowed', 'allowed', 'allowed']);
    expect(await states(4)).toEqual(['forbidden']);
    return { records, states, verdict, noted, failure, stop: () => (isDown = true) };
  }

  test('with one more answer for each', async () => {
    const { records, states, noted } = await judge();
    await records.settle();
    expect(await states(1, 2, 3)).toEqual(['allowed', 'allowed', 'forbidden']);
    expect(noted).toEqual([]);
  });

  test.each([
    ['since an asset before', true],
    ['since then', false],
  ])('and is unknown if there is an outage %s', async (_, isSeen) => {
    const { records, states, verdict, noted, failure, stop } = await judge();
    stop();
    if (isSeen) await expect(verdict(5)).rejects.toBe(failure);
    await records.settle();
    expect(await states(1, 2, 3)).toEqual(['allowed', 'allowed', 'forbidden']);
    expect((await verdict(3))?.reason).toContain("no `until` in its folder's list");
    expect(noted).toEqual([[failure, 3]]);
  });

  test('and is shown with a warning in an outage, if the site shows what is unknown', async () => {
    const { records, states, noted, stop } = await judge('warn');
    stop();
    await records.settle();
    expect(await states(3)).toEqual(['unknown']);
    expect(noted).toHaveLength(1);
  });
});

test('pages that ask while a record is read are read together next, and after an outage no more', async () => {
  const text = { message: 'The service is down.', hint: '' };
  const failure = new ServiceError('service-unreachable', text, { effect: 'none' });
  const open = new Map<number, PromiseWithResolvers<never>>();
  const service = {
    clockAhead: () => 0,
    folders: { tree: async () => [] },
    files: {
      record(id: number) {
        const answer = Promise.withResolvers<never>();
        open.set(id, answer);
        return answer.promise;
      },
    },
  } as unknown as MediaService;
  const store = { facts: () => ({}), note() {} } as unknown as AssetStore;
  const records = createRecords({
    ...{ service, store, languages, mode: 'build', hasCredentials: true },
    ...{ clock: Date.now, onBackgroundFailure() {}, rule: { texts: undefined, rights } },
  });
  const some = async () => {
    for (let tick = 0; tick < 5; tick += 1) await setImmediate();
  };
  const ends: unknown[] = [];
  const ask = async (id: number) => {
    const page = records.find(id, { shownIn: languages.all, texts: '' });
    page.catch((thrown) => ends.push(thrown));
    await some();
  };
  for (const id of [1, 2, 3]) await ask(id);
  expect([...open.keys()]).toEqual([1]);
  open.get(1)?.reject(failure);
  await some();
  expect([...open.keys()]).toEqual([1, 2, 3]);
  for (const id of [2, 3]) open.get(id)?.reject(failure);
  await some();
  await ask(4);
  expect([...open.keys()]).toEqual([1, 2, 3]);
  expect(ends).toEqual(Array(4).fill(failure));
});
