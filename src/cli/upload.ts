import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { countOf, oneLine } from '../errors/wording.ts';
import { isMediaAssetError, type MediaAssetError, mediaAssetError } from '../errors.ts';
import type { MediaService } from '../service/media-service.ts';
import { orMissing } from '../service/or-missing.ts';
import { UploadError, type UploadResume } from '../service/upload-error.ts';
import { openUploadSource } from '../service/upload-source.ts';
import { byteProgress } from './byte-progress.ts';
import { byteText } from './byte-text.ts';
import { errorToJson } from './error-to-json.ts';
import { wrong } from './library-arguments.ts';
import { type LibraryFlags, openLibrary } from './open-library.ts';
import { type ExitCode, errorText, exitCodes, type Terminal } from './terminal.ts';
import { openUploadRecords, type UploadKey, type UploadState } from './upload-records.ts';

export interface UploadFlags extends LibraryFlags {
  readonly folder: number;
  /** Goes on with what an earlier call has not finished. */
  readonly resume?: boolean;
  /** Makes new records, whatever an earlier call has left. */
  readonly anew?: boolean;
}

interface UploadJob {
  /** As it was named. */
  readonly name: string;
  readonly key: UploadKey;
  readonly size: number;
  readonly modified: number;
  readonly kept: UploadState | undefined;
}

interface Done {
  readonly file: string;
  readonly id: number | undefined;
  readonly bytes: number;
  /** Whether it was in the service before this call. */
  readonly before: boolean;
}

/**
 * `media-asset upload <file…> --folder <id>`: uploads files, one after the other. What a call has
 * done that fails, or is killed, is kept until `--resume` has finished it, so that no file gets a
 * second record.
 *
 * @throws `command-usage`, `upload-source-unusable`, `upload-pending`, `upload-state-unusable`,
 * `library-folder-unknown`; as `files.upload()` does before there is a record
 */
export async function upload(
  flags: UploadFlags,
  terminal: Terminal,
  files: readonly string[],
): Promise<ExitCode> {
  if (flags.resume && flags.anew) wrong('--resume and --anew are each other’s opposite.');
  const { service } = await openLibrary(flags, terminal);
  const records = openUploadRecords(terminal.directory);
  const jobs = await prepare(files, { flags, service, terminal, records });
  const done: Done[] = [];
  for (const job of jobs) {
    const { name: file, key, size, modified, kept } = job;
    const keep = (resume: UploadResume | undefined, id = resume?.id) =>
      records.write(key, { size, modified, id, resume });
    const before = kept !== undefined && kept.resume === undefined;
    try {
      const id = before ? kept.id : await send(job, { service, terminal, keep });
      done.push({ file, id, bytes: size, before });
      // At once, so that --resume leaves it out also after an end without a warning.
      await keep(undefined, id);
    } catch (thrown) {
      const error = thrown instanceof UploadError ? thrown : undefined;
      print({ done, jobs, error }, { flags, terminal });
      if (error) {
        // First of all, in case that keeping it fails.
        terminal.note(errorText(error, terminal));
        await keep(error.resume);
        terminal.note('Call the same again with --resume: it goes on in the same record.');
        return exitCodes.unsent;
      }
      if (done.length > 0) {
        terminal.note('Call the same again with --resume: it leaves out what is uploaded.');
      }
      if (terminal.signal.aborted && !isMediaAssetError(thrown)) return exitCodes.ended;
      throw orMissing(thrown, { code: 'library-folder-unknown', id: flags.folder });
    }
  }
  for (const { key } of jobs) await records.remove(key);
  print({ done, jobs }, { flags, terminal });
  return exitCodes.done;
}

/** Looks at every file before the first one is sent. */
async function prepare(
  files: readonly string[],
  {
    flags,
    service,
    terminal,
    records,
  }: {
    flags: UploadFlags;
    service: MediaService;
    terminal: Terminal;
    records: ReturnType<typeof openUploadRecords>;
  },
): Promise<UploadJob[]> {
  const jobs: UploadJob[] = [];
  for (const name of files) {
    const file = resolve(terminal.directory, name);
    if (jobs.some(({ key }) => key.file === file)) wrong(`${oneLine(name)} is named twice.`);
    const { size } = await openUploadSource(file, undefined);
    const { mtimeMs: modified } = await stat(file);
    const key = { service: service.baseUrl, folder: flags.folder, file };
    const found = await records.read(key);
    const isSame = found?.size === size && found.modified === modified;
    if (found?.resume && !flags.resume && !flags.anew) {
      throw mediaAssetError('upload-pending', { file: name, record: recordName(found.id) });
    }
    if (found?.resume && flags.resume && !isSame) {
      const problem = `it is not what it was when ${recordName(found.id)} was made for it`;
      throw mediaAssetError('upload-source-changed', { file: name, problem });
    }
    const kept = flags.resume && isSame ? found : undefined;
    jobs.push({ name, key, size, modified, kept });
  }
  await records.assertWritable();
  for (const { key, kept } of jobs) if (!kept) await records.remove(key);
  return jobs;
}

async function send(
  { name, key, kept, size }: UploadJob,
  {
    service,
    terminal,
    keep,
  }: { service: MediaService; terminal: Terminal; keep: (resume: UploadResume) => Promise<void> },
): Promise<number | undefined> {
  const progress = byteProgress(name, terminal, () => performance.now());
  try {
    const { id } = await service.files.upload(
      key.file,
      { folder: key.folder },
      {
        signal: terminal.signal,
        onProgress: ({ sent }) => progress.show(sent, size),
        onRecord: keep,
        resume: kept?.resume,
      },
    );
    return id;
  } finally {
    progress.end();
  }
}

function print(
  {
    done,
    jobs,
    error,
  }: {
    done: readonly Done[];
    jobs: readonly UploadJob[];
    error?: MediaAssetError | undefined;
  },
  { flags, terminal }: { flags: UploadFlags; terminal: Terminal },
): void {
  const unsent = jobs.slice(done.length).map(({ name }) => name);
  if (flags.json) {
    const uploaded = done.map(({ id = null, ...one }) => ({ ...one, id }));
    const { folder } = flags;
    const failed = error && { error: errorToJson(error) };
    terminal.out(JSON.stringify({ version: 1, folder, uploaded, unsent, ...failed }, undefined, 2));
    return;
  }
  const lines = done.map(
    ({ file, id, bytes, before }) =>
      `${oneLine(file)}  ${recordName(id)}  ${byteText(bytes)}${before ? '  (uploaded before)' : ''}`,
  );
  const left = unsent.length > 0 ? `, ${unsent.length} not` : '';
  terminal.out([...lines, `${countOf(done.length, 'file')} uploaded${left}.`].join('\n'));
}

function recordName(id: number | undefined): string {
  return id === undefined ? 'a record without a known id' : `asset ${id}`;
}
