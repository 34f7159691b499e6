import { orMissing } from '../service/service-error.ts';
import { emptyList, listFiles } from './list-files.ts';
import { type LibraryFlags, openLibrary } from './open-library.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/**
 * `media-asset files <folder>`: the files of a folder of the service.
 *
 * @throws `library-folder-unknown`
 */
export async function files(
  flags: LibraryFlags & { limit?: number },
  terminal: Terminal,
  folder: number,
): Promise<ExitCode> {
  const { service } = await openLibrary(flags, terminal);
  const { limit, json } = flags;
  const list = {
    ask: (fields: readonly string[] | undefined) => service.folders.files(folder, { fields }),
    limit,
    json,
    empty: emptyList.folder(folder),
  };
  await listFiles(list, terminal).catch((thrown) => {
    throw orMissing(thrown, { code: 'library-folder-unknown', id: folder });
  });
  return exitCodes.done;
}
