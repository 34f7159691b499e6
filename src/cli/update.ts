import { oneLine } from '../errors/wording.ts';
import { orMissing } from '../service/service-error.ts';
import { readMetadataPairs } from './metadata-pairs.ts';
import { type LibraryFlags, openLibrary } from './open-library.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/**
 * `media-asset update <id> key=value…`: changes the metadata of an asset.
 *
 * @throws `command-usage`, `library-asset-unknown`; as `files.update()` does
 */
export async function update(
  flags: LibraryFlags,
  terminal: Terminal,
  id: number,
  pairs: readonly string[],
): Promise<ExitCode> {
  const metadata = readMetadataPairs(pairs);
  const { service } = await openLibrary(flags, terminal);
  const record = await service.files.update(id, metadata).catch((thrown) => {
    throw orMissing(thrown, { code: 'library-asset-unknown', id });
  });
  const changed = Object.keys(metadata);
  terminal.out(
    flags.json
      ? JSON.stringify({ version: 1, id, changed, record: record?.fields ?? null }, undefined, 2)
      : `Asset ${id} has changed: ${changed.map(oneLine).join(', ')}.`,
  );
  return exitCodes.done;
}
