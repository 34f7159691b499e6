import { lstat, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { extensionOfType } from '../../../assets/formats/detect-file-type.ts';
import { readStart } from '../../../assets/formats/probe-image.ts';
import { sniffBytes } from '../../../assets/formats/sniff-bytes.ts';
import { mediaAssetError } from '../../../errors/errors.ts';
import type { DownloadRequest } from '../../../service/requests.ts';
import { orMissing } from '../../../service/service-error.ts';
import type { Download } from '../../../service/types.ts';
import { ignoreMissing, isDeviceName, outputProblem } from '../../../storage/file-problems.ts';
import { writeOutput } from '../../../storage/replace-file.ts';
import { showArgument, wrong } from '../../command-options.ts';
import { openService, type ServiceFlags } from '../../settings/site-settings.ts';
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
  const { signal, directory } = terminal;
  if (output && /[/\\]$/.test(output)) wrong(`--output ${showArgument(output)} names a folder.`);
  const service = await openService(flags, terminal);
  const named = output && resolve(directory, output);
  if (named) await assertWritable(named, force);

  const progress = progressLine(`Asset ${id}`, terminal, byteText);
  const request: DownloadRequest = {
    signal,
    onProgress: ({ received, size }) => progress({ done: received, total: size }),
  };
  async function write(received: Download) {
    if (received.status !== 'received') {
      throw new Error('A download without validators was answered with “unchanged”.');
    }
    const file = named ?? join(directory, downloadName(received, id));
    try {
      await assertWritable(file, force);
      await writeOutput(file, received.body, async (path) => {
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
    const { size: bytes } = await stat(file);
    return { id, file, bytes };
  }
  try {
    const missing = orMissing({ what: 'asset', id });
    const open = () => service.files.original(id, request).catch(missing);
    const written = await service.files.readWhole(open, write, { signal });
    terminal.print(written, () => `${written.file}  ${byteText(written.bytes)}`);
    return exitCodes.done;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    terminal.note('Canceled. Nothing was kept.');
    return exitCodes.ended;
  }
};

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
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
  return shortened(isDeviceName(plain) ? `_${plain}` : plain);
}

/** At most 255 bytes, as file systems allow, with its extension. */
function shortened(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= 255) return name;
  const extension = extname(name).length <= 20 ? extname(name) : '';
  const kept = bytes.subarray(0, 255 - Buffer.byteLength(extension));
  // A stream waits for the rest of a character that was cut.
  const stem = new TextDecoder().decode(kept, { stream: true });
  return stem.replace(/(?<![.\s])[.\s]+$/, '') + extension;
}

async function assertWritable(path: string, force: boolean): Promise<void> {
  const problem = await outputProblem(path);
  if (problem) throw mediaAssetError('file-unwritable', { path, problem });
  if (force || !(await lstat(path).catch(ignoreMissing))) return;
  throw mediaAssetError('file-unwritable', { path, problem: 'it already exists' });
}
