import { z } from 'zod';
import { checkArgument } from './check-argument.ts';
import { assertAssetId } from './download-url.ts';
import type { Usage } from './media-service.ts';

/** Of a text, in UTF-16 units; and of the ids. Far above what is meant, and below what ends a process. */
const longest = 1024 ** 2;
const mostIds = 100_000;

const text = z
  .string('expected a text')
  .max(longest, `expected a text of at most ${longest} characters`)
  .refine((value) => value.isWellFormed(), 'expected well-formed Unicode');

const usageArgument = z.object(
  {
    ids: z
      .array(z.unknown(), 'expected a list of asset ids')
      .max(mostIds, `expected at most ${mostIds} asset ids`),
    page: text.min(1, 'expected the address of a page'),
    pageName: text,
    project: text,
    contact: text,
    description: text,
    date: text,
    removed: z.boolean('expected true or false'),
  },
  'expected a usage',
);

/** The body of a usage request, its fields in the order of table 2.1. */
export interface UsageBody {
  readonly id: readonly number[];
  readonly contact: string;
  readonly date: string;
  readonly amount: '1';
  readonly description: string;
  readonly project: string;
  readonly types: readonly ['web'];
  readonly removed: 'true' | 'false';
  readonly web: { readonly page: string; readonly pageName: string };
}

/**
 * The body of `POST /1/files/multiple/usages` (sections 2.1 and 2.2). Throws `argument-invalid`, and
 * `asset-id-invalid` where `ids` holds no id, or something else.
 */
export function toUsageBody(usage: Usage): UsageBody {
  checkArgument({ place: 'usages.report()', name: 'usage', schema: usageArgument }, usage);
  if (usage.ids.length === 0) assertAssetId(undefined, usage.page);
  for (const id of usage.ids) assertAssetId(id, usage.page);
  return {
    id: usage.ids,
    contact: usage.contact,
    date: usage.date,
    amount: '1',
    description: usage.description,
    project: usage.project,
    types: ['web'],
    removed: usage.removed ? 'true' : 'false',
    web: { page: usage.page, pageName: usage.pageName },
  };
}
