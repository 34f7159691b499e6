import { resolve } from 'node:path';
import { countOf, oneLine } from '../errors/wording.ts';
import { isMediaAssetError } from '../errors.ts';
import type { MediaService } from '../service/media-service.ts';
import { orMissing } from '../service/service-error.ts';
import { openUploadSource } from '../service/upload-source.ts';
import { byteProgress } from './byte-progress.ts';
import { byteText } from './byte-text.ts';
import { wrong } from './library-arguments.ts';
import { type LibraryFlags, openLibrary } from './open-library.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

export interface UploadFlags extends LibraryFlags {
  readonly folder: number;
}

interface UploadJob {
  /** As the user typed it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

interface Uploaded {
  readonly file: string;
  readonly id: number | undefined;
  readonly bytes: number;
}

/**
 * `media-asset upload <file…> --folder <id>`: uploads files one after the other, and stops at the
 * first error. The result lists what was uploaded until then.
 *
 * @throws `command-usage`, `library-folder-unknown`, and as `files.upload()` does
 */
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
    throw orMissing(thrown, { code: 'library-folder-unknown', id: flags.folder });
  }
  print({ uploaded, jobs }, { flags, terminal });
  return exitCodes.done;
}

/** Checks every file before the first one is sent. */
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
  const progress = byteProgress(name, terminal, () => performance.now());
  try {
    const { id } = await service.files.upload(
      path,
      { folder: flags.folder },
      { signal: terminal.signal, onProgress: ({ sent }) => progress.show(sent, size) },
    );
    return { file: name, id, bytes: size };
  } finally {
    progress.end();
  }
}

function print(
  { uploaded, jobs }: { uploaded: readonly Uploaded[]; jobs: readonly UploadJob[] },
  { flags, terminal }: { flags: UploadFlags; terminal: Terminal },
): void {
  const unsent = jobs.slice(uploaded.length).map(({ name }) => name);
  if (flags.json) {
    const result = {
      version: 1,
      folder: flags.folder,
      uploaded: uploaded.map(({ file, id = null, bytes }) => ({ file, id, bytes })),
      unsent,
    };
    terminal.out(JSON.stringify(result, undefined, 2));
    return;
  }
  const lines = uploaded.map(
    ({ file, id, bytes }) =>
      `${oneLine(file)}  ${id === undefined ? 'unknown ID' : `asset ${id}`}  ${byteText(bytes)}`,
  );
  const left = unsent.length > 0 ? `, ${unsent.length} not` : '';
  terminal.out([...lines, `${countOf(uploaded.length, 'file')} uploaded${left}.`].join('\n'));
}
