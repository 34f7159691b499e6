import type { BendParts } from './bend-answers.ts';
import type { BendSettings } from './bend-settings.ts';
import { changeJson } from './send-answer.ts';

/** A folder of the emulator's own tree, which lists each folder after its parent. */
interface ListedFolder extends Readonly<Record<string, unknown>> {
  readonly depth: number;
  readonly parent: number | null;
}

/** Forms of the folder tree. */
export function bendFolders({ app, settings }: BendParts): void {
  app.use('/1/foldertree', async (c, next) => {
    await next();
    const { folderTree, folderTreeAnswer } = settings();
    await changeJson(c, (value) => {
      const folders = forms[folderTree](value as ListedFolder[]);
      return folderTreeAnswer === 'bare' ? folders : { folders };
    });
  });
}

const forms: Record<BendSettings['folderTree'], (folders: ListedFolder[]) => unknown> = {
  'flat-both': (folders) => folders,
  'flat-depth': (folders) => folders.map(({ parent: _, ...folder }) => folder),
  'flat-parent': (folders) =>
    folders
      .toSorted((one, other) => Number(one.id) - Number(other.id))
      .map(({ depth: _, ...folder }) => folder),
  nested(folders) {
    const top: unknown[] = [];
    /** The children of the last folder of each depth. */
    const open: unknown[][] = [top];
    for (const { depth, parent: _, ...folder } of folders) {
      const children: unknown[] = [];
      open[depth]?.push({ ...folder, children });
      open[depth + 1] = children;
    }
    return top;
  },
};
