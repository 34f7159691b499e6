import { open } from 'node:fs/promises';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Download } from '../../service/types.ts';
import { assertFileSize, type FileRules } from '../files/file-rules.ts';
import { detectedBytes, detectFileType } from '../formats/detect-file-type.ts';
import { fileTitle } from '../formats/file-label.ts';
import { probeImage } from '../formats/probe-image.ts';
import { readVideoSize } from '../formats/read-video-size.ts';
import {
  describeSource,
  type FileReference,
  type FileSource,
  type ImageReference,
  type Source,
} from '../formats/source.ts';
import type { AssetStore } from '../store/asset-store.ts';

/** Throws if a downloaded file must not enter the cache. `file` is its path. */
export type ValidateImage = (
  file: string,
  facts: Awaited<ReturnType<typeof probeImage>>,
) => Promise<void>;

/**
 * Stores a download in the cache if it's a complete image.
 *
 * @throws errors of the body and of `validate`; `download-not-a-picture`, `picture-too-large`,
 * `cache-unusable`
 */
export async function downloadImage(
  download: Extract<Download, { status: 'received' }>,
  {
    reference,
    store,
    now,
    validate,
  }: {
    reference: ImageReference;
    store: AssetStore;
    /** In milliseconds since the epoch. */
    now: number;
    validate?: ValidateImage | undefined;
  },
): Promise<Source> {
  const { body, validators, filename } = download;
  const title = reference.kind === 'original' ? fileTitle(filename) : undefined;
  return store.receive(reference, body, async (path) => {
    const image = await probeImage(path, describeSource(reference));
    await validate?.(path, image);
    return { ...image, ...validators, title, fetchedAt: now };
  });
}

/**
 * Stores a download of any kind in the cache, in small pieces. Its publisher decides whether it may be
 * published.
 *
 * @throws errors of the body; `file-empty`, `file-too-large`, `cache-unusable`
 */
export async function downloadFile(
  download: Extract<Download, { status: 'received' }>,
  {
    reference,
    store,
    now,
    maxBytes,
  }: {
    reference: FileReference;
    store: AssetStore;
    /** In milliseconds since the epoch. */
    now: number;
    maxBytes: FileRules['maxBytes'];
  },
): Promise<FileSource> {
  const what = describeSource(reference);
  const { body, validators } = download;
  assertFileSize({ what, size: download.size ?? 0, maxBytes });
  return store.receive(reference, limited(body, { what, maxBytes }), async (path) => {
    const facts = await readFacts(path, download);
    if (!facts) throw mediaAssetError('file-empty', { what });
    return { ...facts, ...validators, fetchedAt: now };
  });
}

async function* limited(
  body: ReadableStream<Uint8Array>,
  { what, maxBytes }: { what: string; maxBytes: FileRules['maxBytes'] },
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    assertFileSize({ what, size, maxBytes });
    yield piece;
  }
}

async function readFacts(
  file: string,
  { contentType: declared, filename }: Extract<Download, { status: 'received' }>,
) {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size === 0) return undefined;
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const type = detectFileType({ start: await read(0, detectedBytes), declared, filename });
    const isVideo = type.contentType.startsWith('video/');
    return {
      kind: 'file' as const,
      ...type,
      title: fileTitle(filename),
      picture: isVideo ? await readVideoSize({ size, read }) : undefined,
    };
  } finally {
    await handle.close();
  }
}
