import { emptyList, listFiles } from './list-files.ts';
import { type LibraryFlags, openLibrary } from './open-library.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/** `media-asset search <text>`: the files that match a text. */
export async function search(
  flags: LibraryFlags & { limit?: number },
  terminal: Terminal,
  text: string,
): Promise<ExitCode> {
  const { service } = await openLibrary(flags, terminal);
  const { limit, json } = flags;
  const ask = (fields: readonly string[] | undefined) => service.search(text, { fields });
  await listFiles({ ask, limit, json, empty: emptyList.search(text) }, terminal);
  return exitCodes.done;
}
