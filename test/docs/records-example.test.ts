import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { judge, type RightsRule } from '../../src/assets/records/verdict.ts';

const guide = await readFile(new URL('../../docs/guides/records.md', import.meta.url), 'utf8');
const [, example = ''] = /```js\n(.*?)```/s.exec(guide) ?? [];
const { rights: rule } = runInNewContext(example, {
  mediaAsset: (options: unknown) => options,
}) as {
  rights: RightsRule;
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
])("the guide's first example reads %s", (_, fields, state) => {
  // A record that the service gives, without some of its fields.
  const known = { fields, lacking: [], answers: ['record'] } as const;
  const given = { ...rule, unknown: 'forbid', warnDays: 0 } as const;
  const asked = { id: 4711, known, language: '', now: Date.now() };
  expect(judge(given, asked).state).toBe(state);
});
