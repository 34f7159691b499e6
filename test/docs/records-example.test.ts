import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type ReadRecord, readAssetRecord } from '../../src/assets/records/asset-record.ts';

const guide = await readFile(new URL('../../docs/guides/records.md', import.meta.url), 'utf8');
const [, example = ''] = /```js\n(.*?)```/s.exec(guide) ?? [];
const { record } = runInNewContext(example, { mediaAsset: (options: unknown) => options }) as {
  record: { fields: string[]; read: ReadRecord };
};

test.each<[string, Record<string, unknown>, string]>([
  ['an image with consent', { filename: 'quay.jpg', gdprStatus: 'OK' }, 'allowed'],
  ['an image without consent', { filename: 'quay.jpg', gdprStatus: 'withdrawn' }, 'forbidden'],
  ['an image without the field', { filename: 'quay.jpg' }, 'forbidden'],
  ['an image with an empty field', { filename: 'quay.jpg', gdprStatus: '' }, 'forbidden'],
  ['an image named like a document', { filename: 'plan.pdf.png', gdprStatus: null }, 'forbidden'],
  ['a PDF without the field', { filename: 'Tariff.PDF' }, 'allowed'],
  ['a PDF with an empty field', { filename: 'tariff.pdf', gdprStatus: null }, 'allowed'],
  ['a PDF without consent', { filename: 'tariff.pdf', gdprStatus: 'withdrawn' }, 'forbidden'],
  ['an asset without a record', {}, 'forbidden'],
])("the guide's first example reads %s", (_, fields, rights) => {
  const asked = Object.fromEntries(record.fields.map((name) => [name, fields[name]]));
  const read = readAssetRecord(record.read, { id: 4711, fields: asked, locale: undefined });
  expect(read.rights).toBe(rights);
});
