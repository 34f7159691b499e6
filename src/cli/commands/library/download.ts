import { createHash } from 'node:crypto';
import { lstat, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { extensionOfType } from '../../../assets/formats/detect-file-type.ts';
import { readStart } from '../../../assets/formats/probe-image.ts';
import { sniffBytes } from '../../../assets/formats/sniff-bytes.ts';
import { mediaAssetError } from '../../../errors/errors.ts';
import type { DownloadRequest } from '../../../service/requests.ts';
import { orMissing } from '../../../service/service-error.ts';
import { ignoreMissing, isDeviceName, outputProblem } from '../../../storage/file-problems.ts';
import { writeOutput } from '../../../storage/replace-file.ts';
import { openLibrary, type ServiceFlags } from '../../settings/find-service.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { byteText } from '../../terminal/table.ts';
import { type Command, exitCodes } from '../../terminal/terminal.ts';

interface DownloadFlags extends ServiceFlags {
  readonly output?: string;
  readonly force?: boolean;
}

/** Writes the complete, checked file or nothing. */
export const download: Command<DownloadFlags, [id: number]> = async (flags, terminal, id) => {
  const { output, force = false } = flags;
  const { service } = await openLibrary(flags, terminal);
  const target = await findTarget(output, terminal.directory);
  if (target.file) await assertWritable(target.file, force);

  const progress = progressLine(`Asset ${id}`, terminal, byteText);
  const { signal } = terminal;
  const request: DownloadRequest = {
    signal,
    onProgress: ({ received, size }) => progress({ done: received, total: size }),
  };
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of body) {
      hash.update(part);
      bytes += part.byteLength;
      yield part;
    }
  }
  try {
    const missing = orMissing({ what: 'asset', id });
    const received = await service.files.original(id, request).catch(missing);
    if (received.status !== 'received') {
      throw new Error('A download without validators was answered with “unchanged”.');
    }
    const file = target.file ?? join(target.folder, downloadName(received, id));
    try {
      await assertWritable(file, force);
      await writeOutput(file, counted(received.body), async (path) => {
        // An asset can be HTML, but then it has a file name.
        const isHtml = sniffBytes(await readStart(path)).description === 'an HTML page';
        if (isHtml && !received.filename) {
          throw mediaAssetError('answer-html', { call: `the original of asset ${id}` });
        }
        // It may have been created during the download.
        await assertWritable(file, force);
      });
    } finally {
      // Does nothing if the body was read to its end.
      await received.body.cancel().catch(() => undefined);
    }
    const contentType = received.contentType ?? null;
    const json = { id, file, bytes, contentType, sha256: hash.digest('hex') };
    terminal.print(json, () => `${file}  ${byteText(bytes)}`);
    return exitCodes.done;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    terminal.note('Canceled. Nothing was kept.');
    return exitCodes.ended;
  }
};

/** The target file, or a folder for a file that the service names. */
async function findTarget(
  output: string | undefined,
  directory: string,
): Promise<{ file?: string; folder: string }> {
  if (output === undefined) return { folder: directory };
  const path = resolve(directory, output);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return { folder: path };
  if (/[/\\]$/.test(output)) {
    const problem = "its folder doesn't exist";
    throw mediaAssetError('file-unwritable', { path: output, problem });
  }
  return { folder: directory, file: path };
}

/** The service's name made safe. Without one, it's named by its ID and type. */
export function downloadName(
  file: { readonly filename: string | undefined; readonly contentType: string | undefined },
  id: number,
): string {
  const { filename = '', contentType = '' } = file;
  const extension = extensionOfType(contentType);
  return safeFileName(filename) || `asset-${id}${extension ? `.${extension}` : ''}`;
}

/**
 * Turns a name from the service into a visible file in one folder on every system: no separators,
 * `..`, drives, devices or streams. May return an empty text.
 */
export function safeFileName(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '-')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  return isDeviceName(plain) ? `_${plain}` : plain;
}

async function assertWritable(path: string, force: boolean): Promise<void> {
  const problem = await outputProblem(path);
  if (problem) throw mediaAssetError('file-unwritable', { path, problem });
  if (force || !(await lstat(path).catch(ignoreMissing))) return;
  throw mediaAssetError('file-unwritable', { path, problem: 'it already exists' });
}
