import { assetName, sizeText } from '../../../assets/files/file-label.ts';
import { oneLine } from '../../../errors/wording.ts';
import { type ListedFacts, listFileFacts, listFolder } from '../../../service/list-file-facts.ts';
import type { Folder } from '../../../service/types.ts';
import { openService, type ServiceFlags } from '../../settings/site-settings.ts';
import { withNulls } from '../../terminal/json-output.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { type Column, listText } from '../../terminal/table.ts';
import type { Command, Terminal } from '../../terminal/terminal.ts';

export async function folders(flags: ServiceFlags, terminal: Terminal): Promise<void> {
  const service = await openService(flags, terminal);
  const tree = await service.folders.tree();
  const folders = tree.map((folder) => withNulls(folder, 'id', 'name', 'parentId', 'depth'));
  const empty = "These credentials can't see any folder.";
  const list = { columns: folderColumns, rows: tree, noun: 'folder', empty };
  terminal.print({ folders }, () => listText(list, terminal));
}

const folderColumns: readonly Column<Folder>[] = [
  { title: 'id', value: ({ id }) => String(id), right: true },
  {
    title: 'name',
    value: ({ name = '(without a name)', depth }) => `${'  '.repeat(depth)}${name}`,
  },
];

export const files: Command<ServiceFlags, [folder: number]> = async (flags, terminal, folder) => {
  const service = await openService(flags, terminal);
  const empty = `Folder ${folder} has no files.`;
  await listFiles(listFolder(service, folder), { empty, terminal });
};

export const search: Command<ServiceFlags, [text: string]> = async (flags, terminal, text) => {
  const service = await openService(flags, terminal);
  const found = listFileFacts((fields) => service.search(text, { fields }));
  await listFiles(found, { empty: `No file matches “${oneLine(text)}”.`, terminal });
};

export const fileColumns: readonly Column<ListedFacts>[] = [
  { title: 'id', value: ({ id }) => String(id), right: true },
  { title: 'name', value: (file) => assetName(file) ?? '' },
  { title: 'kind', value: ({ kind }) => kind ?? '' },
  {
    title: 'size',
    value: ({ size }) => (size === undefined ? '' : sizeText(size, 'en')),
    right: true,
  },
  {
    title: 'pixels',
    value: ({ width, height }) =>
      width === undefined || height === undefined ? '' : `${width} × ${height}`,
    right: true,
  },
  { title: 'folder', value: ({ folder }) => String(folder ?? '') },
];

async function listFiles(
  listed: AsyncIterable<ListedFacts>,
  { empty, terminal }: { empty: string; terminal: Terminal },
): Promise<void> {
  const progress = progressLine('Listing files', terminal);
  const files: ListedFacts[] = [];
  for await (const file of listed) {
    files.push(file);
    progress({ done: files.length, total: undefined });
  }
  const list = { columns: fileColumns, rows: files, noun: 'file', empty };
  terminal.print({ files: files.map((file) => withNulls(file)) }, () => listText(list, terminal));
}
