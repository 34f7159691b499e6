import type { Command } from 'commander';
import type { CatalogueItem } from '../../assets/store/read-catalogue.ts';
import { countOf } from '../../errors/wording.ts';
import { cacheOptions, example, type ToAction } from '../command-options.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';

export function declareRenditions(program: Command, run: ToAction): void {
  cacheOptions(program.command('renditions'))
    .description('List the images that the last builds made, and their sources.')
    .addHelpText('after', example('media-asset renditions --json'))
    .action(run(renditions));
}

async function renditions(
  flags: { cache?: string; json?: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const { readCatalogue } = await import('../../assets/store/read-catalogue.ts');
  const { findCacheFolder } = await import('../settings/find-cache-folder.ts');
  const folder = await findCacheFolder(flags, terminal);
  const catalogue = readCatalogue(folder);
  terminal.print({ renditions: catalogue }, () => renditionsText(catalogue, folder, terminal));
  return exitCodes.done;
}

function renditionsText(
  catalogue: readonly CatalogueItem[],
  folder: string,
  { paint }: Terminal,
): string {
  if (catalogue.length === 0)
    return `No rendition is known in ${folder}. Build the site first, or name another folder with --cache.`;
  const lines = catalogue.map((item) => {
    return `${paint.bold(`${item.id}`)}  ${describeItem(item)}\n  ${item.path ?? item.url}`;
  });
  return [...lines, `${countOf(catalogue.length, 'rendition')}.`].join('\n');
}

function describeItem({
  rectangle,
  customFormatUrl,
  width,
  height,
  format,
}: CatalogueItem): string {
  if (!rectangle) return `file ${format}`;
  const { x, y, ...size } = rectangle;
  const from = customFormatUrl
    ? `crop ${x},${y},${size.width},${size.height}`
    : `original ${size.width} × ${size.height}`;
  return `${width} × ${height}  ${from}`;
}
