import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile } from '../../storage/retry-locked-file.ts';
import { freeBytes } from '../formats/decoding-memory.ts';
import { decodeSmall, type Prove } from '../formats/probe-image.ts';
import type { Rendition } from '../formats/rendition.ts';
import { decodedSize, decodeSource, decodingKey, sharedSide } from './make-rendition.ts';

type Decoded = Awaited<ReturnType<typeof decodeSource>>;

/** How much waits in memory, in bytes, and how many images wait on the disk. */
const room = { memory: 16e6, images: 300 };

/** The most bytes of an image on the disk. */
const slotSize = sharedSide ** 2 * 4;

/** Where the pixels of an image wait. */
interface Place {
  readonly keep: (decoded: Decoded) => Promise<void>;
  readonly take: () => Promise<Decoded | undefined>;
  readonly free: () => void;
}

/**
 * The pixels that the proofs of downloads read. They wait for the small renditions that follow, so that a
 * photograph is decoded once. Without room for them, a proof decodes at a small size.
 *
 * @param folder of a temporary file for what has no room in memory; `undefined` for none
 */
export function createProvenPixels(folder?: string, { memory, images } = room) {
  const kept = new Map<string, Promise<Place>>();
  let left = memory;
  const slots = Array.from({ length: folder === undefined ? 0 : images }, (_, slot) => slot);
  let file: Promise<FileHandle> | undefined;

  function inMemory(size: number): Place {
    let held: Decoded | undefined;
    left -= size;
    return {
      async keep(decoded) {
        held = decoded;
      },
      take: async () => held,
      free() {
        left += size;
      },
    };
  }

  function onDisk(slot: number): Place {
    let read: (() => Promise<Decoded>) | undefined;
    return {
      async keep({ pixels, ...decoded }) {
        if (!pixels) return;
        file ??= openUnnamed(folder ?? '');
        const handle = await file;
        const { data, ...size } = pixels;
        const [length, start] = [data.byteLength, slot * slotSize];
        if ((await handle.write(data, 0, length, start)).bytesWritten < length) return;
        freeBytes(data);
        read = async () => {
          const space = Buffer.allocUnsafeSlow(length);
          const { buffer, bytesRead } = await handle.read(space, 0, length, start);
          if (bytesRead < length) throw new Error('The file has been cut.');
          return { ...decoded, pixels: { ...size, data: buffer } };
        };
      },
      take: async () => read?.(),
      free() {
        slots.push(slot);
      },
    };
  }

  function reserve(size: number): Place | undefined {
    if (size <= left) return inMemory(size);
    const slot = slots.pop();
    return slot === undefined ? undefined : onDisk(slot);
  }

  const prove: Prove = (hash) => async (image, proof) => {
    const { bytes, width, height, animated, transparent, failOn } = proof;
    const rendition: Rendition = {
      ...{ source: { reference: { kind: 'original', id: 1 }, hash } },
      ...{ corner: { x: 0, y: 0 }, rectangle: { x: 0, y: 0, width, height } },
      ...{ width: 1, height: 1, recipe: { format: 'webp', animated } },
    };
    const key = decodingKey(rendition);
    const shared = decodedSize(rendition);
    const isKept = !animated && failOn === 'error' && !kept.has(key);
    const place = isKept && reserve(shared.width * shared.height * (transparent ? 4 : 3));
    if (!place) return decodeSmall(image, proof);
    const filled = decodeSource(bytes, rendition).then(async (decoded) => {
      // Pixels that can't be kept are decoded again.
      await place.keep(decoded).catch(() => undefined);
      return place;
    });
    kept.set(key, filled);
    await filled.catch((thrown: unknown) => {
      kept.delete(key);
      place.free();
      throw thrown;
    });
  };

  async function takePixels(rendition: Rendition): Promise<Decoded | undefined> {
    const key = decodingKey(rendition);
    // Another asset with the same bytes can ask while they're written.
    const filled = kept.get(key);
    kept.delete(key);
    const place = await filled?.catch(() => undefined);
    return place?.take().finally(place.free);
  }

  return {
    prove,
    /** The pixels that a rendition is made from, once. `undefined` if they have to be decoded. */
    takePixels: (rendition: Rendition) => takePixels(rendition).catch(() => undefined),
    /** Frees the disk. */
    async close(): Promise<void> {
      const handle = await file?.catch(() => undefined);
      file = undefined;
      await handle?.close();
    },
  };
}

/** A file that nothing is left of if the process is killed. On Windows, a later build removes it. */
async function openUnnamed(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  await removeFile(path).catch(() => undefined);
  return handle;
}
