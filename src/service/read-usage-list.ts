import { z } from 'zod';
import { findList, isFields } from './find-list.ts';
import type { UsageRecord } from './media-service.ts';
import type { Reader } from './receive-answer.ts';

/** A text, or undefined for null, an empty text or anything else. */
const text = z
  .union([z.string(), z.number().transform(String)])
  .transform((value) => value.trim() || undefined)
  .optional()
  .catch(undefined);

const web = z.looseObject({ page: text, pageName: text }).optional().catch(undefined);

/** A record as services in the wild give it, or in the names of section 2.1. */
const record = z
  .looseObject({
    url: text,
    page: text,
    pageName: text,
    web,
    project: text,
    contact: text,
    description: text,
    publishDate: text,
    date: text,
  })
  .transform((fields) => ({
    page: fields.url ?? fields.page ?? fields.web?.page,
    pageName: fields.pageName ?? fields.web?.pageName,
    project: fields.project,
    contact: fields.contact,
    description: fields.description,
    date: fields.publishDate ?? fields.date,
  }));

const records = z.array(record);

/**
 * Reads the usages of one asset: a bare array of records, or one wrapped in an object. Null and 204
 * are an empty list. Records without a page (usages in print) are left out.
 */
export const readUsageList: Reader<UsageRecord[]> = (content, status) => {
  if (content === undefined) {
    return status === 204 ? { value: [] } : { problem: 'a list of usages was expected' };
  }
  const found = findList(content.json, {
    what: 'usages',
    names: ['usages', 'usage'],
    fits: (entry) => isFields(entry) && ('page' in entry || 'url' in entry || 'web' in entry),
  });
  if ('problem' in found) return found;
  const parsed = records.safeParse(found.list);
  if (!parsed.success) return { problem: 'an entry of its list is no record' };
  return {
    value: parsed.data.flatMap(({ page, ...rest }) =>
      page === undefined ? [] : [{ page, ...rest }],
    ),
  };
};
