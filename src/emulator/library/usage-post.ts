import { z } from 'zod';

const webPage = z
  .string()
  .refine(
    (text) => text === '' || (/^https?:\/\//.test(text) && URL.canParse(text)),
    'expected an absolute http or https URL',
  );

/** The usage object of section 2.1 with the web object of 2.2. Without a page: in a project. */
export const usagePost = z.strictObject({
  id: z
    .array(z.int().refine((id) => id !== 0, 'expected an ID'))
    .min(1)
    .refine((ids) => new Set(ids).size === ids.length, 'expected each ID once'),
  contact: z.string(),
  date: z.iso.date('expected a calendar date YYYY-MM-DD'),
  amount: z.string().regex(/^\d+$/, 'expected a number as a string'),
  description: z.string(),
  project: z.string(),
  types: z.array(z.string().min(1)).min(1),
  removed: z
    .enum(['true', 'false'], "expected 'true' or 'false'")
    .transform((value) => value === 'true'),
  web: z.strictObject({ page: webPage, pageName: z.string() }),
});

export type UsagePost = z.output<typeof usagePost>;

/** A post's record of one of its assets. */
export function usageRecord(
  { id: _, removed: __, types, web, ...fields }: UsagePost,
  asset: number,
) {
  return { ...fields, ...web, type: types.join(','), asset };
}
