import assert, { deepStrictEqual } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Download, MediaService, Usage } from '../../src/service/index.ts';
import type { SettingChanges } from '../support/bends/bent-emulator.ts';
import type { EmulatorProcess } from '../support/service/emulator-process.ts';

/** What the contract's methods work with. */
export interface ContractSetup {
  readonly client: MediaService;
  readonly emulator: EmulatorProcess;
  readonly settings: SettingChanges;
  /** In the folder `boats`, in the order of the service. */
  readonly files: readonly { id: number; filename: string; bytes: Buffer }[];
  /** A photo with an EXIF rotation of 90°. */
  readonly rotated: number;
  readonly folders: { readonly boats: number; readonly old: number; readonly inbox: number };
  /** A usage of the service's first file, next to one on another page. */
  readonly known: Usage;
}

/** In pixels, for every image of the library. */
export const imageSize = { width: 40, height: 30 };
const crop = { x: 5, y: 4, width: 20, height: 10 };

/** Uses each method of the client once, and compares the result with the service. */
export const contractMethods = {
  async 'folders.tree'({ client, folders }) {
    const tree = await client.folders.tree();
    deepStrictEqual(
      tree.map(({ id, name, depth, children }) => ({ id, name, depth, children })),
      [
        { id: 1, name: 'Library', depth: 0, children: [folders.boats, folders.inbox] },
        { id: folders.boats, name: 'boats', depth: 1, children: [folders.old] },
        { id: folders.old, name: 'old', depth: 2, children: [] },
        { id: folders.inbox, name: 'inbox', depth: 1, children: [] },
      ],
    );
  },

  async 'folders.files'({ client, files, folders }) {
    const names = files.map(({ id, filename }) => [id, filename]);
    deepStrictEqual(await recordsOf(client.folders.files(folders.boats)), names);
  },

  async search({ client, files }) {
    const names = files.map(({ id, filename }) => [id, filename]);
    deepStrictEqual(await recordsOf(client.search('boat')), names);
  },

  async 'files.original'({ client, files: [file] }) {
    const bytes = await bytesOf(await client.files.original(file?.id ?? 0));
    assert(file?.bytes.equals(bytes), 'other bytes');
  },

  async 'files.customFormat'({ client, files: [file], settings }) {
    const { x: x1, y: y1, width, height } = crop;
    const picture = await sizeOf(file?.bytes ?? Buffer.alloc(0));
    const corners = { x2: x1 + width, y2: y1 + height, sw: picture.width, sh: picture.height };
    const parameters = {
      ...{ x1, y1 },
      ...(settings.customFormat === 'corners' && corners),
      ...{ w: width, h: height },
    };
    const bytes = await bytesOf(await client.files.customFormat(file?.id ?? 0, parameters));
    deepStrictEqual(await sizeOf(bytes), { width, height });
  },

  async 'files.record'({ client, rotated }) {
    const record = await client.files.record(rotated, { fields: ['filename', 'type'] });
    deepStrictEqual([record.id, record.fields.type], [rotated, 'image/jpeg']);
  },

  async 'files.upload'({ client, emulator, folders: { inbox: folder } }) {
    const bytes = randomBytes(200_000);
    const { id } = await client.files.upload(bytes, {
      folder,
      filename: 'quay.bin',
      fields: { photographer: 'Öz' },
    });
    const kept = await readFile(join(emulator.dataDir, 'uploads', String(id)));
    assert(kept.equals(bytes), 'other bytes');
  },

  async 'files.update'({ client, rotated }) {
    const photographer = `Öz ${randomBytes(4).toString('hex')}`;
    const record = await client.files.update(rotated, { photographer });
    deepStrictEqual([record?.id, record?.fields.photographer], [rotated, photographer]);
  },

  async 'usages.report'({ client, emulator, known, settings }) {
    const usage = { ...known, page: 'https://museum.example/new/' };
    await client.usages.report(usage);
    await client.usages.report(usage);
    const records = emulator.usages(known.ids[0]).filter(({ page }) => page === usage.page);
    deepStrictEqual(records.length, settings.usages === 'append' ? 2 : 1);
  },

  async 'usages.list'({ client, emulator, known: { ids, page } }) {
    const [id = 0] = ids;
    const listed = await client.usages.list(id);
    const pages = listed.map((usage) => usage.page);
    deepStrictEqual(
      pages,
      emulator.usages(id).map((usage) => usage.page),
    );
    assert(pages.includes(page));
  },

  async 'usages.report, removed'({ client, emulator, known }) {
    await client.usages.report({ ...known, removed: true });
    deepStrictEqual(
      emulator.usages(known.ids[0]).filter(({ page }) => page === known.page),
      [],
    );
  },

  async 'usages.report, removed, of nothing'({ client, known }) {
    const page = 'https://museum.example/never/';
    await client.usages.report({ ...known, page, removed: true });
  },

  async 'usages.report of a batch with a bad ID'({ client, known }) {
    await client.usages.report({ ...known, ids: [...known.ids, 999_999] });
  },

  async 'files.customFormat of a crop that reaches outside'({ client, files: [file] }) {
    const parameters = { x1: 30, y1: 20, w: 100, h: 100 };
    const bytes = await bytesOf(await client.files.customFormat(file?.id ?? 0, parameters));
    deepStrictEqual(await sizeOf(bytes), { width: 10, height: 10 });
  },

  async 'files.customFormat of a rotated photograph'({ client, rotated, settings }) {
    const parameters = { x1: crop.x, y1: crop.y, w: crop.width, h: crop.height };
    const bytes = await bytesOf(await client.files.customFormat(rotated, parameters));
    const { width, height } = crop;
    const turned = { width: height, height: width };
    const expected = settings.cropPixels === 'stored' ? turned : { width, height };
    deepStrictEqual(await sizeOf(bytes), expected);
  },

  async 'files.original, with its validators'({ client, files: [file], settings }) {
    const id = file?.id ?? 0;
    const first = await client.files.original(id);
    await bytesOf(first);
    const { validators } = first.status === 'received' ? first : {};
    const again = await client.files.original(id, { validators });
    deepStrictEqual(again.status, settings.validators === 'none' ? 'received' : 'unchanged');
    if (again.status === 'received') await again.body.cancel();
  },
} satisfies Record<string, (world: ContractSetup) => Promise<void>>;

export type ContractMethod = keyof typeof contractMethods;

const recordsOf = (list: ReturnType<MediaService['search']>) =>
  Array.fromAsync(list, ({ id, filename }) => [id, filename]);

async function bytesOf(download: Download): Promise<Buffer> {
  assert(download.status === 'received', download.status);
  return Buffer.from(await new Response(download.body).arrayBuffer());
}

async function sizeOf(bytes: Buffer) {
  const { width, height } = await sharp(bytes).metadata();
  return { width, height };
}
