import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { probeImage, readStart } from '../../../assets/formats/probe-image.ts';
import { sniffBytes } from '../../../assets/formats/sniff-bytes.ts';
import {
  customFormats,
  parametersOfAnyImage,
} from '../../../assets/geometry/custom-format-parameters.ts';
import { originalSize } from '../../../assets/renditions/check-crops.ts';
import { mediaAssetError } from '../../../errors/errors.ts';
import { orMissing } from '../../../service/service-error.ts';
import type {
  CustomFormatParameters,
  Download,
  DownloadRequest,
  MediaService,
} from '../../../service/types.ts';
import { type CropArgument, wrong } from '../../command-options.ts';
import { type LibraryFlags, openLibrary } from '../../settings/open-service.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { byteText } from '../../terminal/table.ts';
import { type ExitCode, exitCodes, type Terminal } from '../../terminal/terminal.ts';
import { assertWritable, downloadName, writeNewFile } from '../../terminal/write-download.ts';

interface DownloadFlags extends LibraryFlags {
  readonly crop?: CropArgument;
  readonly customFormat?: 'size' | 'corners';
  readonly output?: string;
  readonly force?: boolean;
  /** In bytes. */
  readonly maxSize?: number;
}

/** Writes the complete, checked file or nothing. */
export async function download(
  flags: DownloadFlags,
  terminal: Terminal,
  id: number,
): Promise<ExitCode> {
  const { output, force = false } = flags;
  const { service, settings } = await openLibrary(flags, terminal, {
    maxDownloadBytes: flags.maxSize,
  });
  const dialect = flags.customFormat ?? settings?.customFormat ?? 'size';
  if (flags.crop && dialect === 'own') {
    wrong('The site has its own custom-format function. Pass --custom-format.');
  }
  const target = await findTarget(output, terminal.directory);
  if (target.file) await assertWritable(target.file, force);

  const progress = progressLine(`Asset ${id}`, terminal, byteText);
  const { signal } = terminal;
  const request: DownloadRequest = {
    signal,
    onProgress: ({ received, size }) => progress.show({ done: received, total: size }),
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
    const parameters =
      flags.crop && dialect !== 'own'
        ? await parametersOf(service, { id, crop: flags.crop, dialect, request })
        : undefined;
    const received = await ask(service, id, { parameters, request });
    const { crop } = flags;
    const file = target.file ?? join(target.folder, downloadName(received, { id, crop }));
    try {
      await assertWritable(file, force);
      const check = (path: string) =>
        crop ? checkCrop(path, { id, crop }) : checkOriginal(path, { id, ...received });
      await writeNewFile(file, counted(received.body), { force, check });
    } finally {
      // Does nothing if the body was read to its end.
      await received.body.cancel().catch(() => undefined);
    }
    progress.end();
    const contentType = received.contentType ?? null;
    terminal.print(
      { id, file, bytes, contentType, sha256: hash.digest('hex') },
      () => `${file}  ${byteText(bytes)}`,
    );
    return exitCodes.done;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    progress.end();
    terminal.note('Canceled. Nothing was kept.');
    return exitCodes.ended;
  } finally {
    progress.end();
  }
}

async function parametersOf(
  service: MediaService,
  {
    id,
    crop,
    dialect,
    request: { signal },
  }: { id: number; crop: CropArgument; dialect: 'size' | 'corners'; request: DownloadRequest },
): Promise<CustomFormatParameters> {
  const known = parametersOfAnyImage(customFormats[dialect], crop);
  if (known) return known;
  const image = await originalSize(service, id, { signal }).catch(orMissing({ what: 'asset', id }));
  return customFormats[dialect](crop, image);
}

async function ask(
  service: MediaService,
  id: number,
  {
    parameters,
    request,
  }: { parameters: CustomFormatParameters | undefined; request: DownloadRequest },
): Promise<Extract<Download, { status: 'received' }>> {
  const answer = await (parameters
    ? service.files.customFormat(id, parameters, request)
    : service.files.original(id, request)
  ).catch(orMissing({ what: 'asset', id }));
  if (answer.status === 'received') return answer;
  throw new Error('A download without validators was answered with “unchanged”.');
}

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

/**
 * Checks that a downloaded crop has the requested size.
 *
 * @throws `custom-format-mismatch`, `download-not-a-picture`, `picture-too-large`
 */
async function checkCrop(
  path: string,
  { id, crop: { x, y, width, height } }: { id: number; crop: CropArgument },
): Promise<void> {
  const found = await probeImage(path, `the crop of asset ${id}`);
  if (found.width === width && found.height === height) return;
  throw mediaAssetError('custom-format-mismatch', {
    id,
    page: `--crop ${x},${y},${width},${height}`,
    expected: `${width} × ${height} pixels`,
    received: `${found.width} × ${found.height} pixels`,
  });
}

/**
 * Refuses HTML in disguise, unless it has a file name, because an asset can be HTML too.
 *
 * @throws `answer-html`
 */
async function checkOriginal(
  path: string,
  { id, filename }: { id: number; filename: string | undefined },
): Promise<void> {
  if (filename) return;
  const { description } = sniffBytes(await readStart(path));
  if (description !== 'an HTML page') return;
  throw mediaAssetError('answer-html', { call: `the original of asset ${id}` });
}
