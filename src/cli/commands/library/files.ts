import { cachedPixels } from '../../../assets/store/cache-files.ts';
import { countOf, oneLine } from '../../../errors/wording.ts';
import {
  type AskForFiles,
  type FileFacts,
  type KnownFacts,
  listFileFacts,
} from '../../../service/list-file-facts.ts';
import { orMissing } from '../../../service/service-error.ts';
import type { MediaService } from '../../../service/types.ts';
import { openLibrary, type ServiceFlags } from '../../settings/find-service.ts';
import { findCacheFolder } from '../../settings/site-settings.ts';
import { withNulls } from '../../terminal/json-output.ts';
import { byteText, type Column, createTable, type Table } from '../../terminal/table.ts';
import { type Command, exitCodes, type Terminal } from '../../terminal/terminal.ts';

interface ListFlags extends ServiceFlags {
  readonly limit?: number;
}

export const files: Command<ListFlags, [folder: number]> = async (flags, terminal, folder) => {
  const { service } = await openLibrary(flags, terminal);
  const ask: AskForFiles = (fields) => service.folders.files(folder, { fields });
  const pixels = await cachedPixelsOf(service, terminal);
  const known = { folder, pixels };
  await listFiles(ask, { flags, known, empty: emptyList.folder(folder), terminal }).catch(
    orMissing({ what: 'folder', id: folder }),
  );
  return exitCodes.done;
};

export const search: Command<ListFlags, [text: string]> = async (flags, terminal, text) => {
  const { service } = await openLibrary(flags, terminal);
  const ask: AskForFiles = (fields) => service.search(text, { fields });
  const known = { folder: undefined, pixels: await cachedPixelsOf(service, terminal) };
  await listFiles(ask, { flags, known, empty: emptyList.search(text), terminal });
  return exitCodes.done;
};

async function cachedPixelsOf(
  { baseUrl }: Pick<MediaService, 'baseUrl'>,
  terminal: Pick<Terminal, 'directory'>,
): Promise<KnownFacts['pixels']> {
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
  terminal.print({ files: files.map((file) => withNulls(file)), more }, () =>
    files.length === 0 ? empty : `${countOf(files.length, 'file')}${rest}.`,
  );
}
