import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { failureOf } from '../../service/scripted-service.ts';
import { drawTestImages } from '../../support/images/test-images.ts';
import { startEmulatorProcess } from '../../support/service/emulator-process.ts';
import { startService } from '../../support/service/start-service.ts';

const emulator = await startService([
  { path: 'ferry.jpg', width: 20, height: 20 },
  { path: 'quay.jpg', width: 20, height: 20, seed: 1 },
]);
const media = emulator.mediaDir;

beforeEach(() => emulator.setSettings({ fields: '' }));

const sidecar = (file: string, fields: object) =>
  writeFile(join(media, `${file}.json`), JSON.stringify(fields));
await sidecar('quay.jpg', { alttext: 'The quay', tags: ['harbour'], year: 1891 });

async function record(id: number, fields = 'name,alttext,tags,year,credit') {
  return (await emulator.fetch(`/1/file/${id}?fields=${fields}`)).json();
}

async function update(id: number, changes: object) {
  const response = await emulator.fetch(`/1/file/${id}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(changes),
  });
  return { status: response.status, text: await response.text() };
}

describe('a JSON file next to a media file', () => {
  test('has the fields of its record, and is no asset', async () => {
    const files = await (await emulator.fetch('/1/folder/1/files?fields=filename')).json();
    expect(files).toEqual([{ filename: 'ferry.jpg' }, { filename: 'quay.jpg' }]);
    expect(await record(4712)).toEqual({
      ...{ name: 'quay', alttext: 'The quay', tags: ['harbour'], year: 1891 },
    });
    expect(await record(4711)).toEqual({ name: 'ferry' });
  });

  test('is read again when it changes, appears or goes', async () => {
    await sidecar('ferry.jpg', { credit: 'Ada' });
    expect(await record(4711)).toEqual({ name: 'ferry', credit: 'Ada' });
    await sidecar('ferry.jpg', { credit: 'Ada Holm' });
    expect(await record(4711)).toMatchObject({ credit: 'Ada Holm' });
    await rm(join(media, 'ferry.jpg.json'));
    expect(await record(4711)).toEqual({ name: 'ferry' });
  });

  test('gives way to updates, which can also remove a field', async () => {
    await update(4712, { alttext: 'An old quay', year: null });
    expect(await record(4712)).toEqual({ name: 'quay', alttext: 'An old quay', tags: ['harbour'] });
    await sidecar('quay.jpg', { alttext: 'A quay', tags: ['boats'], year: 1900 });
    expect(await record(4712)).toEqual({ name: 'quay', alttext: 'An old quay', tags: ['boats'] });
  });

  test.each(['{ "alttext": ', '["alttext"]', '{ "alt text": "The quay" }'])(
    'that is %s is an error at start that names the file',
    async (text) => {
      const own = await drawTestImages([{ path: 'quay.jpg', width: 4, height: 4 }]);
      await writeFile(join(own, 'quay.jpg.json'), text);
      const { message } = (await failureOf(startEmulatorProcess({ media: own }))) as Error;
      await rm(own, { recursive: true });
      expect(message).toContain('quay.jpg.json');
      expect(message).toContain("it isn't an object of fields");
    },
  );
});

describe('with `fields`', () => {
  beforeEach(() => emulator.setSettings({ fields: 'alttext,credit' }));

  test('every record has these fields, and no others', async () => {
    expect(await record(4711, 'all')).toMatchObject({ alttext: null, credit: null });
    expect(await record(4712)).toEqual({ name: 'quay', alttext: 'An old quay', credit: null });
  });

  test('an update of another field is refused', async () => {
    expect(await update(4711, { photographer: 'Ada' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('photographer: unknown field'),
    });
    expect((await update(4711, { credit: 'Ada' })).status).toBe(200);
  });
});
