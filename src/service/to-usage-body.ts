import { assertAssetId } from './download-url.ts';
import type { Usage } from './media-service.ts';

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
 * The body of `POST /1/files/multiple/usages` (sections 2.1 and 2.2). Throws `asset-id-invalid`
 * where `ids` holds no id, or something else.
 */
export function toUsageBody(usage: Usage): UsageBody {
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
