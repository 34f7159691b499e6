import { isMediaAssetError } from '../../../errors/errors.ts';
import { countOf } from '../../../errors/wording.ts';
import { orMissing } from '../../../service/service-error.ts';
import type { MediaService, UsageRecord } from '../../../service/types.ts';
import { listAssetUsages } from '../../../usage/reconcile/list-usages.ts';
import { openLibrary, type ServiceFlags } from '../../settings/find-service.ts';
import { withNulls } from '../../terminal/json-output.ts';
import { type Column, tableLines } from '../../terminal/table.ts';
import { type Command, exitCodes } from '../../terminal/terminal.ts';

export const usages: Command<ServiceFlags, [id: number]> = async (flags, terminal, id) => {
  const { service } = await openLibrary(flags, terminal);
  const records = await usagesOf(service, id);
  const usages = records.map((record) =>
    withNulls(record, 'page', 'pageName', 'project', 'contact', 'description', 'date'),
  );
  const total = `${countOf(records.length, 'usage')}.`;
  terminal.print({ id, usages }, () =>
    records.length === 0
      ? `The service lists no usages of asset ${id}.`
      : [...tableLines(columns, records, terminal), total].join('\n'),
  );
  return exitCodes.done;
};

async function usagesOf(service: MediaService, id: number): Promise<readonly UsageRecord[]> {
  try {
    const { listing } = await listAssetUsages(service, [id]);
    return listing.get(id) ?? [];
  } catch (thrown) {
    if (!isMediaAssetError(thrown, 'usages-not-listed')) throw thrown;
    // The service may answer the same way for an unknown asset and for an unsupported call.
    const original = await service.files.original(id).catch(orMissing({ what: 'asset', id }));
    if (original.status === 'received') await original.body.cancel();
    throw thrown;
  }
}

const columns: readonly Column<UsageRecord>[] = [
  { title: 'page name', value: ({ pageName }) => pageName ?? '' },
  // Whole, so that it can be opened.
  { title: 'page', value: ({ page }) => page },
  { title: 'project', value: ({ project }) => project ?? '' },
  { title: 'contact', value: ({ contact }) => contact ?? '' },
  { title: 'date', value: ({ date }) => date ?? '' },
];
