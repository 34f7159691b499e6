import { countOf } from '../../../errors/wording.ts';
import type { Folder } from '../../../service/types.ts';
import { openLibrary, type ServiceFlags } from '../../settings/find-service.ts';
import { withNulls } from '../../terminal/json-output.ts';
import { type Column, tableLines } from '../../terminal/table.ts';
import { type ExitCode, exitCodes, type Terminal } from '../../terminal/terminal.ts';
export async function folders(flags: ServiceFlags, terminal: Terminal): Promise<ExitCode> {
  const { service } = await openLibrary(flags, terminal);
  const tree = await service.folders.tree();
  const folders = tree.map((folder) => withNulls(folder, 'id', 'name', 'parentId', 'depth'));
  terminal.print({ folders }, () =>
    tree.length === 0
      ? "These credentials can't see any folder."
      : [...tableLines(columns, tree, terminal), `${countOf(tree.length, 'folder')}.`].join('\n'),
  );
  return exitCodes.done;
}

const columns: readonly Column<Folder>[] = [
  { title: 'id', value: ({ id }) => String(id), right: true },
  {
    title: 'name',
    value: ({ name = '(without a name)', depth }) => `${'  '.repeat(depth)}${name}`,
  },
];
