import { z } from 'zod';

/** What reports and removals of usages do. */
export const usageSettings = {
  /**
   * A second report of the same asset on the same page replaces the first record, or is kept as a
   * second one.
   * @default 'overwrite'
   */
  usages: z
    .enum(['overwrite', 'append'])
    .default('overwrite')
    .describe('what a repeated report of a usage does'),
  /**
   * Which records of an asset a removal takes away: those of the page; those of the page and the
   * project; those that agree in every field.
   * @default 'page'
   */
  removalMatches: z
    .enum(['page', 'page-project', 'all-fields'])
    .default('page')
    .describe('what a removal must agree in'),
  /**
   * Of several records that a removal matches, it takes all, or only the oldest.
   * @default 'all'
   */
  removalTakes: z
    .enum(['all', 'first'])
    .default('all')
    .describe('how many matching records a removal takes'),
  /**
   * Status of the answer to a removal that matches no record. With 404 and 410 an id without a
   * matching record counts as a bad id of its batch.
   * @default 200
   */
  removalOfNothing: z
    .literal([200, 404, 410])
    .default(200)
    .describe('status for the removal of a usage that is not there'),
  /**
   * A bad id refuses the whole batch; or the other ids are done, and the answer is the same 4xx.
   * @default 'whole'
   */
  batches: z
    .enum(['whole', 'part'])
    .default('whole')
    .describe('how much of a batch with a bad id is refused'),
  /**
   * Answer to a usage post that is carried out: JSON, nothing, or plain text. With `html` nothing is
   * carried out, and the answer is a maintenance page with status 200.
   * @default 'json'
   */
  usageAnswer: z
    .enum(['json', 'empty', 'text', 'html'])
    .default('json')
    .describe('answer to a usage post; html: a page, with nothing done'),
  /**
   * The usages of an asset are an array; the member `usages` of an object; such an object for each
   * page of `pageSize`, with a link to the next one; or there is no such call, and it gets 404.
   * @default 'bare'
   */
  usageList: z
    .enum(['bare', 'wrapped', 'paged', 'missing'])
    .default('bare')
    .describe("an asset's usages as an array, in an object, in pages with a link, or no such call"),
  /**
   * A record of that list has `url` and `publishDate`, or the fields of a usage post, with `web`.
   * @default 'flat'
   */
  usageRecord: z
    .enum(['flat', 'posted'])
    .default('flat')
    .describe('a record of it as services in the wild give it, or in the fields of a usage post'),
};
