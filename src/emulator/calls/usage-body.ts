import { z } from 'zod';
import { problemsIn } from '../../errors/wording.ts';
import { badRequest } from './http-error.ts';
import { parseJsonBody } from './json-body.ts';

const webPage = z
  .string()
  .refine(
    (text) => text === '' || (/^https?:\/\//.test(text) && URL.canParse(text)),
    'expected an absolute http or https URL',
  );

/**
 * The usage object of section 2.1 with the web object of 2.2. `removed` can be a boolean. Without a
 * page, the usage is in a project.
 */
const usageBody = z.strictObject({
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
    .union([z.enum(['true', 'false']), z.boolean()], "expected 'true', 'false' or a boolean")
    .transform((value) => value === true || value === 'true'),
  web: z.strictObject({ page: webPage, pageName: z.string() }),
});

export type UsageBody = z.output<typeof usageBody>;

export function parseUsageBody(body: Uint8Array, contentType: string): UsageBody {
  const result = usageBody.safeParse(parseJsonBody(body, contentType));
  if (result.success) return result.data;
  const problems = problemsIn(result.error, 'body');
  throw badRequest('usage-invalid', `Invalid usage: ${problems.join('; ')}.`);
}
