import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { FolderFiles } from '../../../src/astro/collections/list-collection-files.ts';
import {
  type CollectionContext,
  openCollectionSync,
} from '../../../src/astro/collections/sync-collection.ts';
import { resolveOptions } from '../../../src/config/options.ts';
import { createMediaService } from '../../../src/service/client.ts';
import { cacheFolder, emulatorClient } from '../../assets/open-images.ts';
import type { Fault } from '../../support/bends/faults/faults.ts';
import { libraryImages } from '../../support/service/emulator-library.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { startService } from '../../support/service/start-service.ts';

const boats: FolderFiles = { folder: 2 };
const day = 24 * 60 * 60 * 1000;

const emulator = await startService(libraryImages);
const media = emulator.mediaDir;
const service = emulatorClient(emulator);

afterEach(async () => {
  await emulator.clearFaults();
  await emulator.setSettings({ paging: 'none', fileListAnswer: 'bare' });
});

type Entry = ReturnType<CollectionContext['store']['values']>[number];

/** A collection with the interface that Astro passes to a loader. */
async function collection(cacheDir?: string) {
  const entries = new Map<string, Entry>();
  const changes: string[] = [];
  const log: string[] = [];
  const keep = (line: string) => void log.push(line);
  const store = {
    get: (key: string) => entries.get(key),
    keys: () => [...entries.keys()],
    set(entry: Entry) {
      entries.set(entry.id, entry);
      changes.push(`set ${entry.id}`);
      return true;
    },
    delete(key: string) {
      entries.delete(key);
      changes.push(`delete ${key}`);
    },
  };
  const context = {
    collection: 'boats',
    store,
    parseData: async ({ data }: { data: unknown }) => data,
    generateDigest: (data: unknown) => JSON.stringify(data),
    logger: { warn: keep, info: keep, error: keep },
    config: { cacheDir: pathToFileURL(`${cacheDir ?? (await cacheFolder())}/`) },
  } as unknown as CollectionContext;
  return {
    context,
    log,
    data: () => Object.fromEntries([...entries].map(([id, { data }]) => [id, data])),
    takeChanges: () => changes.splice(0),
  };
}

const syncAt = (clock = 0, asked = service) =>
  openCollectionSync(resolveOptions({}, {}), {}, { service: () => asked, clock: () => clock });

/** A collection after its first load. */
async function synced(wanted: FolderFiles, clock = 0) {
  const loaded = await collection();
  await syncAt(clock)(loaded.context, wanted);
  return loaded;
}

describe('a collection', () => {
  test('has the files of a folder by ID, with the requested fields', async () => {
    const { data } = await synced({ ...boats, fields: ['filename', 'size'] });
    expect(data()).toEqual({
      4711: { id: 4711, folderId: 2, filename: 'ferry.jpg', size: expect.any(Number) },
      4712: { id: 4712, folderId: 2, filename: 'quay.jpg', size: expect.any(Number) },
    });
  });

  test('has the readable files of a list, and a warning for the others', async () => {
    const server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('[{"id":4711},{"id":"odd"}]');
    });
    const access = { MEDIA_ASSET_BASE_URL: server.url, MEDIA_ASSET_ACCESS_TOKEN: 'token' };
    const { context, data, log } = await collection();
    await openCollectionSync(resolveOptions({}, access), access)(context, boats);
    await server.close();
    expect(data()).toEqual({ 4711: { id: 4711, folderId: 2 } });
    expect(log).toEqual([expect.stringMatching(/^Skipped 1 record of .*\[records-skipped\]$/)]);
  });

  test('includes the files of subfolders if requested', async () => {
    const { data } = await synced({ folder: 1, recursive: true });
    expect(data()).toMatchObject({
      4711: { folderId: 2 },
      4712: { folderId: 2 },
      4713: { folderId: 3, filename: '港の夜明け.png' },
    });
  });

  test('requests the media type, and unprocessed files if configured', async () => {
    emulator.clearLog();
    await synced({ ...boats, type: 'any', processed: false });
    const [request] = emulator.log().filter(({ path }) => path === '/1/folder/2/files');
    expect(request?.query).toBe('fields=id,name,filename&type=any');
  });

  test('only changes if the service has changed', async () => {
    const { context, takeChanges } = await synced(boats);
    expect(takeChanges()).toEqual(['set 4711', 'set 4712']);
    await syncAt()(context, boats);
    expect(takeChanges()).toEqual([]);

    await service.files.update(4711, { name: 'The ferry' });
    await rename(join(media, 'boats/quay.jpg'), join(media, 'quay.jpg'));
    await syncAt()(context, boats);
    expect(takeChanges()).toEqual(['delete 4712', 'set 4711']);

    await rename(join(media, 'quay.jpg'), join(media, 'boats/quay.jpg'));
    await syncAt()(context, boats);
    expect(takeChanges()).toHaveLength(1);
  });
});

describe('a collection stays unchanged after an error about', () => {
  const unknownFolder = { folder: 999 };
  const unknownOption = { ...boats, query: 'a' } as FolderFiles;
  const isForbidden = { call: 'folder-files', kind: 'status', status: 403, skip: 1 } as const;

  test.each<[name: string, wanted: FolderFiles, code: string, fault?: Fault]>([
    ['an unknown folder', unknownFolder, 'library-unknown'],
    ['one with subfolders', { ...unknownFolder, recursive: true }, 'library-unknown'],
    ['an unknown option', unknownOption, 'argument-invalid'],
    ['more files than the limit', { ...boats, maxRecords: 1 }, 'list-unfinished'],
    ['the second page of a list', boats, 'request-forbidden', isForbidden],
  ])('%s', async (_name, wanted, code, fault) => {
    await emulator.setSettings({ paging: 'page', pageSize: 1, fileListAnswer: 'wrapped' });
    const { context, data } = await synced(boats);
    const before = data();
    await emulator.setFaults(fault ? [fault] : []);
    await expect(syncAt()(context, wanted)).rejects.toMatchObject({ code });
    expect(data()).toEqual(before);
  });
});

describe('while the service is unreachable', () => {
  const outage = () => emulator.setFaults([{ call: 'any', kind: 'status', status: 503 }]);

  test('a collection stays as it was, with a warning', async () => {
    const { context, data, log } = await synced(boats, 1_000);
    await outage();
    await syncAt(7 * day)(context, boats);
    expect(Object.keys(data())).toEqual(['4711', '4712']);
    expect(log.join()).toMatch(
      /is stale: it was last loaded 1970-01-01T00:00:01.*\[collection-stale\]/,
    );
  });

  test('or answers with a maintenance page, a collection stays as it was', async () => {
    const { context, data, log } = await synced(boats);
    await emulator.setFaults([{ call: 'folder-files', kind: 'status', status: 200, body: 'html' }]);
    await syncAt()(context, boats);
    expect(Object.keys(data())).toEqual(['4711', '4712']);
    expect(log.join()).toContain('[collection-stale]');
  });

  test.each([
    ['too long an outage', 0, 7 * day + 1],
    ['a list from the future, by a clock that was wrong', 1825 * day, 0],
  ])("it's an error after %s", async (_, listed, now) => {
    const { context } = await synced(boats, listed);
    await outage();
    await expect(syncAt(now)(context, boats)).rejects.toMatchObject({
      code: 'stale-too-long',
      cause: { code: 'service-failed' },
    });
  });

  test("it's an error if the collection was never listed", async () => {
    const { context } = await synced(boats);
    await outage();
    const failed = { code: 'service-failed' };
    const other = { ...boats, folder: 3 };
    await expect(syncAt()(context, other)).rejects.toMatchObject(failed);
    await expect(syncAt()((await collection()).context, boats)).rejects.toMatchObject(failed);
  });
});

describe('without credentials', () => {
  const credentials = { kind: 'none' } as const;
  const nobody = syncAt(30 * day, createMediaService({ baseUrl: emulator.url, credentials }));

  test('a collection has its cached list of any age, even if Astro has dropped the entries', async () => {
    const cacheDir = await cacheFolder();
    await syncAt()((await collection(cacheDir)).context, boats);
    const { context, data, log } = await collection(cacheDir);
    await nobody(context, boats);
    expect(Object.keys(data())).toEqual(['4711', '4712']);
    expect(log.join()).toMatch(
      /is stale: .* 1970-01-01T00:00:00.000Z, because there are no credentials/,
    );
  });

  test("a collection that isn't cached is empty", async () => {
    const cacheDir = await cacheFolder();
    await syncAt()((await collection(cacheDir)).context, boats);
    const { context, data, log } = await collection(cacheDir);
    await nobody(context, { ...boats, folder: 3 });
    expect(data()).toEqual({});
    expect(log.join()).toContain('is empty, because there are no credentials');
  });
});
