import { resolve } from 'node:path';
import { isMediaAssetError } from '../../../errors/errors.ts';
import { countOf, oneLine } from '../../../errors/wording.ts';
import { openUploadSource } from '../../../service/calls/upload-source.ts';
import { orMissing } from '../../../service/service-error.ts';
import type { MediaService } from '../../../service/types.ts';
import { wrong } from '../../command-options.ts';
import { type LibraryFlags, openLibrary } from '../../settings/open-service.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { byteText } from '../../terminal/table.ts';
import { type ExitCode, exitCodes, type Terminal } from '../../terminal/terminal.ts';

interface UploadFlags extends LibraryFlags {
  readonly folder: number;
}

interface UploadJob {
  /** As typed. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

interface Uploaded {
  readonly file: string;
  readonly id: number | undefined;
  readonly bytes: number;
}

/** Stops at the first error. The result lists the files uploaded so far. */
export async function upload(
  flags: UploadFlags,
  terminal: Terminal,
  files: readonly string[],
): Promise<ExitCode> {
  const { service } = await openLibrary(flags, terminal);
  const jobs = await prepare(files, terminal.directory);
  const uploaded: Uploaded[] = [];
  try {
    for (const job of jobs) uploaded.push(await send(job, { service, flags, terminal }));
  } catch (thrown) {
    print({ uploaded, jobs }, { flags, terminal });
    if (terminal.signal.aborted && !isMediaAssetError(thrown)) return exitCodes.ended;
    return orMissing({ what: 'folder', id: flags.folder })(thrown);
  }
  print({ uploaded, jobs }, { flags, terminal });
  return exitCodes.done;
}

/** Checks all files before sending the first one. */
async function prepare(files: readonly string[], directory: string): Promise<UploadJob[]> {
  const jobs: UploadJob[] = [];
  for (const name of files) {
    const path = resolve(directory, name);
    if (jobs.some((job) => job.path === path)) wrong(`${oneLine(name)} is named twice.`);
    const { size } = await openUploadSource(path, undefined);
    jobs.push({ name, path, size });
  }
  return jobs;
}

async function send(
  { name, path, size }: UploadJob,
  { service, flags, terminal }: { service: MediaService; flags: UploadFlags; terminal: Terminal },
): Promise<Uploaded> {
  const progress = progressLine(name, terminal, byteText);
  try {
    const { id } = await service.files.upload(
      path,
      { folder: flags.folder },
      {
        signal: terminal.signal,
        onProgress: ({ sent }) => progress.show({ done: sent, total: size }),
      },
    );
    return { file: name, id, bytes: size };
  } finally {
    progress.end();
  }
}

function print(
  { uploaded, jobs }: { uploaded: readonly Uploaded[]; jobs: readonly UploadJob[] },
  { flags: { folder }, terminal }: { flags: UploadFlags; terminal: Terminal },
): void {
  const unsent = jobs.slice(uploaded.length).map(({ name }) => name);
  const files = uploaded.map(({ file, id = null, bytes }) => ({ file, id, bytes }));
  const lines = uploaded.map(
    ({ file, id, bytes }) =>
      `${oneLine(file)}  ${id === undefined ? 'unknown ID' : `asset ${id}`}  ${byteText(bytes)}`,
  );
  const left = unsent.length > 0 ? `, ${unsent.length} not` : '';
  terminal.print({ folder, uploaded: files, unsent }, () =>
    [...lines, `${countOf(uploaded.length, 'file')} uploaded${left}.`].join('\n'),
  );
}
