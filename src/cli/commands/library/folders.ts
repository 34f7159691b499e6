import type { Command } from 'commander';
import { countOf } from '../../../errors/wording.ts';
import type { Folder } from '../../../service/types.ts';
import { example, libraryOptions, type ToAction } from '../../command-options.ts';
import type { LibraryFlags } from '../../settings/open-service.ts';
import { createTable } from '../../terminal/table.ts';
import { type ExitCode, exitCodes, type Terminal } from '../../terminal/terminal.ts';

export function declareFolders(program: Command, run: ToAction): void {
  libraryOptions(program.command('folders'))
    .description('List the folders of the service.')
    .addHelpText('after', example('media-asset folders', 'media-asset folders --json'))
    .action(run(folders));
}

async function folders(flags: LibraryFlags, terminal: Terminal): Promise<ExitCode> {
  const { openLibrary } = await import('../../settings/open-service.ts');
  const { service } = await openLibrary(flags, terminal);
  const tree = await service.folders.tree();
  terminal.print(toJson(tree), () => treeText(tree, terminal));
  return exitCodes.done;
}

function toJson(tree: readonly Folder[]) {
  const folders = tree.map(({ id, name = null, parentId = null, depth }) => ({
    id,
    name,
    parentId,
    depth,
  }));
  return { folders };
}

function treeText(tree: readonly Folder[], { paint, width }: Terminal): string {
  if (tree.length === 0) return "These credentials can't see any folder.";
  const table = createTable<Folder>(
    [
      { title: 'id', value: ({ id }) => String(id), right: true },
      {
        title: 'name',
        value: ({ name = '(without a name)', depth }) => `${'  '.repeat(depth)}${name}`,
        cut: true,
      },
    ],
    tree,
    width,
  );
  const lines = tree.map((folder) => table.line(folder));
  return [paint.dim(table.header), ...lines, `${countOf(tree.length, 'folder')}.`].join('\n');
}
