import { isMediaAssetError } from '../../../errors/errors.ts';
import { orMissing } from '../../../service/service-error.ts';
import type { MediaService, UsageRecord } from '../../../service/types.ts';
import { ifUnlisted, listAssetUsages } from '../../../usage/reconcile/list-usages.ts';
import { openService, type ServiceFlags } from '../../settings/site-settings.ts';
import { withNulls } from '../../terminal/json-output.ts';
import { type Column, listText } from '../../terminal/table.ts';
import type { Command } from '../../terminal/terminal.ts';

export const usages: Command<ServiceFlags, [id: number]> = async (flags, terminal, id) => {
  const service = await openService(flags, terminal);
  const records = await usagesOf(service, id);
  const usages = records.map((record) => withNulls(record));
  const empty = `The service lists no usages of asset ${id}.`;
  const list = { columns, rows: records, noun: 'usage', empty };
  terminal.print({ id, usages }, () => listText(list, terminal));
};

async function usagesOf(service: MediaService, id: number): Promise<readonly UsageRecord[]> {
  const listed = await listAssetUsages(service, [id]).catch(ifUnlisted);
  const records = 'listing' in listed ? (listed.listing.get(id) ?? []) : [];
  if (records.length > 0) return records;
  // The service may answer the same way for an unused asset, an unknown one, and an unsupported call.
  const original = await service.files
    .original(id)
    .catch(orMissing({ what: 'asset', id }))
    .catch((thrown: unknown) => {
      if (isMediaAssetError(thrown, 'library-unknown')) throw thrown;
    });
  if (original?.status === 'received') await original.body.cancel();
  if ('unlisted' in listed) throw listed.unlisted;
  return records;
}

const columns: readonly Column<UsageRecord>[] = [
  { title: 'page name', value: ({ pageName }) => pageName ?? '' },
  // Whole, so that it can be opened.
  { title: 'page', value: ({ page }) => page },
  { title: 'project', value: ({ project }) => project ?? '' },
  { title: 'contact', value: ({ contact }) => contact ?? '' },
  { title: 'date', value: ({ date }) => date ?? '' },
  { title: 'amount', value: ({ amount }) => amount ?? '' },
  { title: 'types', value: ({ types }) => types?.join(', ') ?? '' },
];
