import { countOf, oneLine } from '../errors/wording.ts';
import type { FileRecord } from '../service/media-service.ts';
import { ServiceError } from '../service/service-error.ts';
import { byteText } from './byte-text.ts';
import { type FileFacts, factFields, fileFacts } from './file-facts.ts';
import { type Column, layTable, type Table } from './table.ts';
import type { Terminal } from './terminal.ts';

/** Rows that set the widths of a table, and that are shown at once. */
const block = 100;

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
];

/** What is said of a list without files. */
export const emptyList = {
  folder: (id: number) => `Folder ${id} has no files.`,
  search: (text: string) => `No file matches “${oneLine(text)}”.`,
};

/**
 * Shows a list of files, block by block as the service gives its pages; as JSON once it is whole.
 *
 * @param ask the list, with these fields; without them those that the interface names
 * @param empty the text for an empty list
 */
export async function listFiles(
  {
    ask,
    limit = Number.POSITIVE_INFINITY,
    json,
    empty,
  }: {
    ask: (fields: readonly string[] | undefined) => AsyncIterable<FileRecord>;
    limit?: number | undefined;
    json: boolean | undefined;
    empty: string;
  },
  { out, paint, width }: Pick<Terminal, 'out' | 'paint' | 'width'>,
): Promise<void> {
  const files: FileFacts[] = [];
  let table: Table<FileFacts> | undefined;
  let shown = 0;
  let more = false;
  const show = () => {
    const rows = files.slice(shown);
    if (rows.length === 0) return;
    const isFirst = table === undefined;
    table ??= layTable(columns, rows, width);
    const header = isFirst ? [paint.dim(table.header)] : [];
    out([...header, ...rows.map(table.line)].join('\n'));
    shown = files.length;
  };
  for await (const record of askWhatIsKnown(ask)) {
    if (files.length === limit) {
      more = true;
      break;
    }
    files.push(fileFacts(record));
    if (!json && files.length - shown === block) show();
  }
  if (json) return out(JSON.stringify(toJson(files, more), undefined, 2));
  show();
  if (files.length === 0) out(empty);
  else
    out(`${countOf(files.length, 'file')}${more ? ', and more: --limit shows more of them' : ''}.`);
}

/** A service that refuses fields which it doesn't know is asked for those of the interface. */
async function* askWhatIsKnown(
  ask: (fields: readonly string[] | undefined) => AsyncIterable<FileRecord>,
): AsyncGenerator<FileRecord> {
  let any = false;
  try {
    for await (const record of ask(factFields)) {
      any = true;
      yield record;
    }
  } catch (thrown) {
    const isRefused =
      thrown instanceof ServiceError && (thrown.status === 400 || thrown.status === 422);
    if (any || !isRefused) throw thrown;
    yield* ask(undefined);
  }
}

function toJson(files: readonly FileFacts[], more: boolean) {
  return {
    version: 1,
    files: files.map((file) => ({
      id: file.id,
      name: file.name ?? null,
      filename: file.filename ?? null,
      kind: file.kind ?? null,
      size: file.size ?? null,
      width: file.width ?? null,
      height: file.height ?? null,
    })),
    more,
  };
}
