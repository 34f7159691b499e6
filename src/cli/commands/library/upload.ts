import { resolve } from 'node:path';
import { isMediaAssetError } from '../../../errors/errors.ts';
import { countOf, oneLine } from '../../../errors/wording.ts';
import { openUploadSource } from '../../../service/calls/upload-source.ts';
import { orMissing } from '../../../service/service-error.ts';
import { showArgument, wrong } from '../../command-options.ts';
import { openService, type ServiceFlags } from '../../settings/site-settings.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { byteText } from '../../terminal/table.ts';
import { type Command, exitCodes } from '../../terminal/terminal.ts';

interface UploadFlags extends ServiceFlags {
  readonly folder: number;
  readonly set?: readonly string[];
}

/** Stops at the first error. The result lists the files uploaded so far. */
export const upload: Command<UploadFlags, [files: readonly string[]]> = async (
  { folder, set = [], ...flags },
  terminal,
  files,
) => {
  const { signal } = terminal;
  const metadata = { folder, ...(set.length > 0 && { fields: readPairs(set) }) };
  const service = await openService(flags, terminal);
  const jobs = await prepare(files, terminal.directory);
  const uploaded: { file: string; id: number | null; bytes: number }[] = [];
  try {
    for (const { name, path, size } of jobs) {
      const progress = progressLine(name, terminal, byteText);
      const onProgress = ({ sent }: { sent: number }) => progress({ done: sent, total: size });
      const { id = null } = await service.files.upload(path, metadata, { signal, onProgress });
      uploaded.push({ file: name, id, bytes: size });
    }
    return exitCodes.done;
  } catch (thrown) {
    if (signal.aborted && !isMediaAssetError(thrown)) return exitCodes.ended;
    return orMissing({ what: 'folder', id: folder })(thrown);
  } finally {
    const unsent = jobs.slice(uploaded.length).map(({ name }) => name);
    const left = unsent.length > 0 ? `, ${unsent.length} not` : '';
    terminal.print({ folder, uploaded, unsent }, () =>
      [
        ...uploaded.map(({ file, id, bytes }) => {
          const asset = id === null ? 'unknown ID' : `asset ${id}`;
          return `${oneLine(file)}  ${asset}  ${byteText(bytes)}`;
        }),
        `${countOf(uploaded.length, 'file')} uploaded${left}.`,
      ].join('\n'),
    );
  }
};

/** Checks all files before the first one is sent. Returns names as typed, and bytes. */
async function prepare(files: readonly string[], directory: string) {
  const jobs: { readonly name: string; readonly path: string; readonly size: number }[] = [];
  for (const name of files) {
    const path = resolve(directory, name);
    if (jobs.some((job) => job.path === path)) wrong(`${oneLine(name)} is named twice.`);
    const { size } = await openUploadSource(path);
    jobs.push({ name, path, size });
  }
  return jobs;
}

function readPairs(pairs: readonly string[]): Record<string, string> {
  const fields = new Map<string, string>();
  for (const pair of pairs) {
    const [, name, text = ''] = /^([^=]*[^=:])=(.*)$/s.exec(pair) ?? [];
    if (!name || name !== name.trim())
      wrong(`${showArgument(pair)} isn't a pair. Write key=value, without spaces around the key.`);
    if (fields.has(name)) wrong(`The key ${showArgument(name)} is given twice.`);
    fields.set(name, text);
  }
  return Object.fromEntries(fields);
}
