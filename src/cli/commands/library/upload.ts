import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isMediaAssetError } from '../../../errors/errors.ts';
import { countOf, oneLine } from '../../../errors/wording.ts';
import type { MediaService } from '../../../service/types.ts';
import {
  example,
  libraryOptions,
  type ToAction,
  toFolderId,
  wrong,
} from '../../command-options.ts';
import type { LibraryFlags } from '../../settings/open-service.ts';
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
export function declareUpload(program: Command, run: ToAction): void {
  libraryOptions(program.command('upload'))
    .description('Upload files to a folder of the service.')
    .argument('<file...>', 'files to upload')
    .requiredOption('--folder <id>', 'folder ID (see `media-asset folders`)', toFolderId)
    .addHelpText('after', example('media-asset upload quay.jpg ferry.jpg --folder 12'))
    .action(run(upload));
}

async function upload(
  flags: UploadFlags,
  terminal: Terminal,
  files: readonly string[],
): Promise<ExitCode> {
  const { orMissing } = await import('../../../service/service-error.ts');
  const { openLibrary } = await import('../../settings/open-service.ts');
  const { service } = await openLibrary(flags, terminal);
  const jobs = await prepare(files, terminal.directory);
  const uploaded: Uploaded[] = [];
  try {
    for (const job of jobs) uploaded.push(await send(job, { service, flags, terminal }));
  } catch (thrown) {
    print({ uploaded, jobs }, { flags, terminal });
    if (terminal.signal.aborted && !isMediaAssetError(thrown)) return exitCodes.ended;
    throw orMissing(thrown, { what: 'folder', id: flags.folder });
  }
  print({ uploaded, jobs }, { flags, terminal });
  return exitCodes.done;
}

/** Checks all files before sending the first one. */
async function prepare(files: readonly string[], directory: string): Promise<UploadJob[]> {
  const { openUploadSource } = await import('../../../service/calls/upload-source.ts');
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
