import { isMediaAssetError } from '../../../errors/errors.ts';
import { countOf, oneLine } from '../../../errors/wording.ts';
import { orMissing } from '../../../service/service-error.ts';
import type { MediaService, UsageRecord } from '../../../service/types.ts';
import { listAssetUsages } from '../../../usage/reconcile/list-usages.ts';
import { openLibrary, type ServiceFlags } from '../../settings/find-service.ts';
import { createTable } from '../../terminal/table.ts';
import { type ExitCode, exitCodes, type Terminal } from '../../terminal/terminal.ts';

export async function usages(
  flags: ServiceFlags,
  terminal: Terminal,
  id: number,
): Promise<ExitCode> {
  const { service } = await openLibrary(flags, terminal);
  const records = await usagesOf(service, id);
  terminal.print(toJson(id, records), () => usagesText(id, records, terminal));
  return exitCodes.done;
}

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

function toJson(id: number, records: readonly UsageRecord[]) {
  const fields = ['page', 'pageName', 'project', 'contact', 'description', 'date'] as const;
  const usages = records.map((record) =>
    Object.fromEntries(fields.map((field) => [field, record[field] ?? null])),
  );
  return { id, usages };
}

function usagesText(
  id: number,
  records: readonly UsageRecord[],
  { paint, width }: Terminal,
): string {
  if (records.length === 0) return `The service lists no usages of asset ${id}.`;
  const sites = Map.groupBy(records, ({ page }) => siteOf(page));
  const blocks = [...sites].map(([site, listed]) => {
    const table = createTable<UsageRecord>(
      [
        { title: 'page name', value: ({ pageName }) => pageName ?? '', cut: true },
        { title: 'page', value: ({ page }) => pathOf(page), cut: true },
        { title: 'project', value: ({ project }) => project ?? '', cut: true },
        { title: 'contact', value: ({ contact }) => contact ?? '', cut: true },
        { title: 'date', value: ({ date }) => date ?? '' },
      ],
      listed,
      width === undefined ? undefined : width - 2,
    );
    const lines = [paint.dim(table.header), ...listed.map((record) => table.line(record))];
    return [paint.bold(oneLine(site)), ...lines.map((line) => `  ${line}`)].join('\n');
  });
  const total = `${countOf(records.length, 'usage')} on ${countOf(sites.size, 'site')}.`;
  return [...blocks, total].join('\n\n');
}

function siteOf(page: string): string {
  const { origin = 'null' } = URL.parse(page) ?? {};
  return origin === 'null' ? 'Elsewhere' : origin;
}

function pathOf(page: string): string {
  const url = URL.parse(page);
  if (!url || url.origin === 'null') return page;
  return page.startsWith(url.origin) ? page.slice(url.origin.length) || '/' : page;
}
