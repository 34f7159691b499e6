import { open } from 'node:fs/promises';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Download } from '../../service/types.ts';
import { fileTitle } from '../formats/file-title.ts';
import { judgedBytes, judgeFile } from '../formats/judge-file.ts';
import { readVideoSize } from '../formats/read-video-size.ts';
import { describeSource, type FileReference, type FileSource } from '../formats/source.ts';
import type { AssetStore } from '../store/asset-store.ts';

/** What a site says about files that are published as they are. */
export interface FileLimits {
  /** Of one file. @default that of a download */
  readonly maxBytes?: number | undefined;
}

/**
 * Takes a download into the cache, whatever it is: whether it may be published is for those to say
 * who publish it. Never more than a piece of it is in memory.
 *
 * @throws what reading the body throws; `file-empty`, `file-too-large`, `cache-unusable`
 */
export async function downloadFile(
  download: Extract<Download, { status: 'received' }>,
  {
    reference,
    cache,
    now,
    maxBytes,
  }: {
    reference: FileReference;
    cache: AssetStore;
    /** Milliseconds since the epoch. */
    now: number;
    maxBytes: FileLimits['maxBytes'];
  },
): Promise<FileSource> {
  const what = describeSource(reference);
  const { body, validators } = download;
  try {
    assertFileSize({ what, size: download.size ?? 0, maxBytes });
    return await cache.receive(reference, limited(body, { what, maxBytes }), async (path) => {
      const facts = await readFacts(path, download);
      if (!facts) throw mediaAssetError('file-empty', { what });
      return { ...facts, ...validators, fetchedAt: now };
    });
  } finally {
    // Where the body was read to its end, there is nothing left to cancel.
    await body.cancel().catch(() => undefined);
  }
}

/** @throws `file-too-large` */
export function assertFileSize({
  what,
  size,
  maxBytes,
}: {
  /** As messages name it. */
  what: string;
  /** In bytes. */
  size: number;
  maxBytes: FileLimits['maxBytes'];
}): void {
  if (maxBytes === undefined || size <= maxBytes) return;
  throw mediaAssetError('file-too-large', { what, limit: maxBytes });
}

async function* limited(
  body: ReadableStream<Uint8Array>,
  { what, maxBytes }: { what: string; maxBytes: FileLimits['maxBytes'] },
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
    const judged = judgeFile({ start: await read(0, judgedBytes), declared, filename });
    const isVideo = judged.contentType.startsWith('video/');
    return {
      kind: 'file' as const,
      ...judged,
      title: fileTitle(filename),
      picture: isVideo ? await readVideoSize({ size, read }) : undefined,
    };
  } finally {
    await handle.close();
  }
}
