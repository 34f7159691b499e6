import type { Command } from 'commander';
import { countOf, oneLine } from '../../../errors/wording.ts';
import type { AskForFiles, FileFacts, KnownFacts } from '../../../service/list-file-facts.ts';
import type { MediaService } from '../../../service/types.ts';
import {
  example,
  libraryOptions,
  type ToAction,
  toFolderId,
  toLimit,
  toSearchText,
} from '../../command-options.ts';
import type { LibraryFlags } from '../../settings/open-service.ts';
import { byteText, type Column, createTable, type Table } from '../../terminal/table.ts';
import { type ExitCode, exitCodes, type Terminal } from '../../terminal/terminal.ts';

interface ListFlags extends LibraryFlags {
  readonly limit?: number;
}

export function declareFiles(program: Command, run: ToAction): void {
  listOptions(program.command('files'))
    .description('List the files in a folder, with kind, size, pixels and folder.')
    .argument('<folder>', 'folder ID (see `media-asset folders`)', toFolderId)
    .addHelpText('after', example('media-asset files 12', 'media-asset files 12 --limit 50'))
    .action(run(files));
}

export function declareSearch(program: Command, run: ToAction): void {
  listOptions(program.command('search'))
    .description('Search for files, and list them with kind, size, pixels and folder.')
    .argument('<text>', 'text to search for', toSearchText)
    .addHelpText('after', example('media-asset search "harbour at dawn"'))
    .action(run(search));
}

function listOptions(command: Command): Command {
  return libraryOptions(command).option('--limit <number>', 'maximum number of files', toLimit);
}

async function files(flags: ListFlags, terminal: Terminal, folder: number): Promise<ExitCode> {
  const { orMissing } = await import('../../../service/service-error.ts');
  const { openLibrary } = await import('../../settings/open-service.ts');
  const { service } = await openLibrary(flags, terminal);
  const ask: AskForFiles = (fields) => service.folders.files(folder, { fields });
  const pixels = await cachedPixelsOf(service, terminal);
  const known = { folder, pixels };
  await listFiles(ask, { flags, known, empty: emptyList.folder(folder), terminal }).catch(
    (thrown) => {
      throw orMissing(thrown, { what: 'folder', id: folder });
    },
  );
  return exitCodes.done;
}

async function search(flags: ListFlags, terminal: Terminal, text: string): Promise<ExitCode> {
  const { openLibrary } = await import('../../settings/open-service.ts');
  const { service } = await openLibrary(flags, terminal);
  const ask: AskForFiles = (fields) => service.search(text, { fields });
  const known = { folder: undefined, pixels: await cachedPixelsOf(service, terminal) };
  await listFiles(ask, { flags, known, empty: emptyList.search(text), terminal });
  return exitCodes.done;
}

async function cachedPixelsOf(
  { baseUrl }: Pick<MediaService, 'baseUrl'>,
  terminal: Pick<Terminal, 'directory'>,
): Promise<KnownFacts['pixels']> {
  const { cachedPixels } = await import('../../../assets/store/cache-files.ts');
  const { findCacheFolder } = await import('../../settings/find-cache-folder.ts');
  const cache = await findCacheFolder({}, terminal);
  return (id) => cachedPixels(cache, { service: baseUrl, id });
}

/** Number of rows that set a table's widths and are printed together. */
const blockSize = 100;

const columns: readonly Column<FileFacts>[] = [
  { title: 'id', value: ({ id }) => String(id), right: true },
  { title: 'name', value: ({ name, filename }) => name ?? filename ?? '', cut: true },
  { title: 'kind', value: ({ kind }) => kind ?? '', cut: true },
  {
    title: 'size',
    value: ({ size }) => (size === undefined ? '' : byteText(size)),
    right: true,
  },
  {
    title: 'pixels',
    value: ({ width, height }) =>
      width === undefined || height === undefined ? '' : `${width} × ${height}`,
    right: true,
  },
  { title: 'folder', value: ({ folder }) => String(folder ?? ''), cut: true },
];

export const emptyList = {
  folder: (id: number) => `Folder ${id} has no files.`,
  search: (text: string) => `No file matches “${oneLine(text)}”.`,
};

/** Prints files in blocks as the service returns them. Prints JSON once the list is complete. */
async function listFiles(
  ask: AskForFiles,
  {
    flags: { limit = Number.POSITIVE_INFINITY, json },
    known,
    empty,
    terminal,
  }: {
    flags: ListFlags;
    known: KnownFacts;
    empty: string;
    terminal: Pick<Terminal, 'out' | 'print' | 'paint' | 'width'>;
  },
): Promise<void> {
  const files: FileFacts[] = [];
  let table: Table<FileFacts> | undefined;
  let shown = 0;
  let more = false;
  const show = () => {
    const rows = files.slice(shown);
    if (rows.length === 0) return;
    const isFirst = table === undefined;
    table ??= createTable(columns, rows, terminal.width);
    const header = isFirst ? [terminal.paint.dim(table.header)] : [];
    terminal.out([...header, ...rows.map(table.line)].join('\n'));
    shown = files.length;
  };
  const { listFileFacts } = await import('../../../service/list-file-facts.ts');
  for await (const file of listFileFacts(ask, known)) {
    if (files.length === limit) {
      more = true;
      break;
    }
    files.push(file);
    if (!json && files.length - shown === blockSize) show();
  }
  if (!json) show();
  const rest = more ? ', and more (see --limit)' : '';
  terminal.print(toJson(files, more), () =>
    files.length === 0 ? empty : `${countOf(files.length, 'file')}${rest}.`,
  );
}

function toJson(files: readonly FileFacts[], more: boolean) {
  return {
    files: files.map((file) => ({
      id: file.id,
      name: file.name ?? null,
      filename: file.filename ?? null,
      kind: file.kind ?? null,
      size: file.size ?? null,
      width: file.width ?? null,
      height: file.height ?? null,
      folder: file.folder ?? null,
    })),
    more,
  };
}
