import { setMaxListeners } from 'node:events';
import { open } from 'node:fs/promises';
import { mediaAssetError } from '../../errors/errors.ts';
import { ServiceError } from '../../service/service-error.ts';
import type { Download, MediaService } from '../../service/types.ts';
import { fileTitle } from '../files/file-label.ts';
import type { FileRules } from '../files/file-rules.ts';
import { freeBytes } from '../formats/decoding-memory.ts';
import { detectedBytes, detectFileType } from '../formats/detect-file-type.ts';
import { type Prove, probeImage } from '../formats/probe-image.ts';
import { readVideoSize } from '../formats/read-video-size.ts';
import { type CachedSource, describeSource, type SourceReference } from '../formats/source.ts';
import type { AssetStore } from '../store/asset-store.ts';
import { isOutage } from './asset-errors.ts';
import type { Refusals } from './refusals.ts';

/** Checks a downloaded crop. Both throw if it must not enter the cache. */
export interface CropCheck {
  /** Reads all of its pixels: of its bytes, or of the file at a path. */
  decode(image: Buffer | string): Promise<unknown>;
  validate(facts: Awaited<ReturnType<typeof probeImage>>): Promise<void>;
}

type Received = Extract<Download, { status: 'received' }>;

/** After this many outages in a row, a run stops waiting for the service. */
const outagesInARow = 2;

export function createSourceFetcher(run: {
  service: MediaService;
  store: AssetStore;
  clock: () => number;
  files: FileRules;
  prove: Prove | undefined;
  refusals: Refusals;
}) {
  const { service, store, clock, files, prove, refusals } = run;
  let downloads = 0;
  let outages = 0;
  let outage: ServiceError | undefined;
  let running = newController();

  function failed(error: ServiceError): void {
    outages += 1;
    if (outages < outagesInARow || outage) return;
    outage = error;
    running.abort(error);
  }

  function succeeded(): void {
    outages = 0;
    if (!outage) return;
    outage = undefined;
    running = newController();
  }

  /** Stores a download. A file can be of any kind: its publisher decides whether it may be published. */
  async function take(
    answer: Received,
    reference: SourceReference,
    check: CropCheck | undefined,
  ): Promise<CachedSource> {
    const fetchedAt = clock();
    const what = describeSource(reference);
    const isFile = reference.kind === 'file';
    const title = reference.kind === 'custom-format' ? undefined : fileTitle(answer.filename);
    try {
      const source = await store.receive(reference, pieces(answer.body), async (path, hash) => {
        const facts = isFile
          ? await readFileFacts(path, what, answer)
          : await probeImage(path, what, check?.decode ?? prove?.(hash));
        if (facts.kind !== 'file') await check?.validate(facts);
        return { ...facts, ...answer.validators, title, fetchedAt };
      });
      downloads += 1;
      return source;
    } finally {
      // Does nothing to a body that was read completely.
      await answer.body.cancel().catch(() => undefined);
    }
  }

  return {
    /** Fetches the service's version of a source, which can be the cached one. */
    async fetch(
      reference: SourceReference,
      options: {
        cached?: CachedSource | undefined;
        signal?: AbortSignal | undefined;
        check?: CropCheck | undefined;
      },
    ): Promise<CachedSource> {
      const { cached, signal, check } = options;
      const { id, kind } = reference;
      try {
        const validators = cached && { etag: cached.etag, lastModified: cached.lastModified };
        const html = kind === 'file' && (files.allow?.includes('html') ?? false);
        const source = await service.files.readWhole(
          () =>
            reference.kind === 'custom-format'
              ? service.files.customFormat(id, reference.parameters, { validators, signal })
              : service.files.original(id, { validators, signal, html }),
          async (answer) =>
            answer.status === 'received' ? take(answer, reference, check) : cached,
          { signal },
        );
        if (!source) throw new Error('No condition was set.');
        succeeded();
        if (kind !== 'custom-format') {
          refusals.given(id);
          store.note(id, { checkedAt: clock() });
        }
        return source;
      } catch (thrown) {
        if (isOutage(thrown)) failed(thrown);
        if (!isRefusal(thrown)) throw thrown;
        succeeded();
        // Only an original can be withdrawn. A crop is requested only after its original was delivered.
        if (kind === 'custom-format')
          throw mediaAssetError('crop-refused', { id, status: thrown.status }, { cause: thrown });
        const isKnown = cached !== undefined || store.facts(id).checkedAt !== undefined;
        return refusals.refuse(id, thrown, isKnown);
      }
    },
    /** The failure to throw instead of a request; `undefined` while requests may succeed. */
    outage: () => outage,
    /** Aborts with the failure once the service counts as unreachable. */
    signal: (): AbortSignal => running.signal,
    downloads: () => downloads,
  };
}

async function* pieces(body: AsyncIterable<Uint8Array>) {
  for await (const piece of body) {
    yield piece;
    freeBytes(piece);
  }
}

function newController(): AbortController {
  const controller = new AbortController();
  // Every pending request listens, so many listeners are no leak.
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Whether the service itself refused to deliver the asset. */
function isRefusal(thrown: unknown): thrown is ServiceError {
  return (
    thrown instanceof ServiceError &&
    thrown.isOwnRefusal &&
    (thrown.code === 'request-forbidden' || thrown.code === 'request-refused') &&
    [403, 404, 410].includes(thrown.status ?? 0)
  );
}

async function readFileFacts(file: string, what: string, answer: Received) {
  const { contentType: declared, filename } = answer;
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size === 0) throw mediaAssetError('file-empty', { what });
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const type = detectFileType({ start: await read(0, detectedBytes), declared, filename });
    const isVideo = type.contentType.startsWith('video/');
    return {
      kind: 'file' as const,
      ...type,
      picture: isVideo ? await readVideoSize({ size, read }) : undefined,
    };
  } finally {
    await handle.close();
  }
}
