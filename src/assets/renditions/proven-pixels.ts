import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile } from '../../storage/retry-locked-file.ts';
import { freeBytes } from '../formats/decoding-memory.ts';
import { decodeSmall, type Prove } from '../formats/probe-image.ts';
import type { Rendition } from '../formats/rendition.ts';
import { type DecodedSource, decodeSource, decodingKey } from './make-rendition.ts';

/** Pixels that wait. They're `undefined` if they can't be read. */
interface Kept {
  readonly path: string;
  readonly written: Promise<(() => Promise<DecodedSource>) | undefined>;
}

/**
 * The pixels that the proofs of downloads read. They wait in temporary files for the small renditions
 * that follow, so that a photograph is decoded once. Writing and reading them takes 2 ms.
 *
 * @param mostKept the most images that wait. Those of each take 6.6 MB at most
 */
export function createProvenPixels(folder: string, mostKept: number) {
  const kept = new Map<string, Kept>();

  async function write({ pixels, credit }: DecodedSource, path: string): Kept['written'] {
    if (!pixels) return undefined;
    const { data, ...size } = pixels;
    const { byteLength } = data;
    await mkdir(folder, { recursive: true });
    await writeFile(path, data, { flag: 'wx', mode: 0o600 });
    freeBytes(data);
    return async () => {
      const data = await readFile(path);
      if (data.byteLength !== byteLength) throw new Error(`${path} has been cut.`);
      return { pixels: { data, ...size }, credit };
    };
  }

  const prove: Prove = (hash) => async (image, proof) => {
    const { bytes, width, height, animated, failOn } = proof;
    const rendition: Rendition = {
      ...{ source: { reference: { kind: 'original', id: 1 }, hash } },
      ...{ corner: { x: 0, y: 0 }, rectangle: { x: 0, y: 0, width, height } },
      ...{ width: 1, height: 1, recipe: { format: 'webp', animated } },
    };
    const key = decodingKey(rendition);
    if (animated || failOn !== 'error' || kept.has(key) || kept.size >= mostKept)
      return decodeSmall(image, proof);
    const path = join(folder, crypto.randomUUID());
    const written = decodeSource(bytes, rendition).then((decoded) =>
      // What can't be written is decoded again.
      write(decoded, path).catch(() => undefined),
    );
    kept.set(key, { path, written });
    await written.catch((thrown: unknown) => {
      kept.delete(key);
      throw thrown;
    });
  };

  async function take(key: string): Promise<DecodedSource | undefined> {
    const found = kept.get(key);
    if (!found) return undefined;
    kept.delete(key);
    try {
      // Another asset with the same bytes can ask while they're written.
      return await (await found.written)?.();
    } catch {
      return undefined;
    } finally {
      await removeFile(found.path).catch(() => undefined);
    }
  }

  return {
    prove,
    /** The pixels that a rendition is made from, once. `undefined` if they have to be decoded. */
    takePixels: (rendition: Rendition) => take(decodingKey(rendition)),
    /** Deletes what no rendition has taken. */
    async clear(): Promise<void> {
      const files = [...kept.values()];
      kept.clear();
      for (const { path, written } of files) {
        await written.catch(() => undefined);
        await removeFile(path).catch(() => undefined);
      }
    },
  };
}
