import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { partEnding } from './receive-upload.ts';

/** The content of an upload that takes effect once its connection is gone. */
export interface HeldContent {
  read(): AsyncIterable<Uint8Array>;
  drop(): Promise<void>;
}

/**
 * Reads a body to its end, onto the disk; `undefined` where it is cut short.
 *
 * @param data The data folder.
 * @param most Bytes that are read at most: a longer body is refused in any case.
 */
export async function holdContent(
  body: AsyncIterable<Uint8Array> | undefined,
  { data, most }: { data: string; most: number },
): Promise<HeldContent | undefined> {
  const folder = join(data, 'uploads');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `late-${randomUUID()}${partEnding}`);
  const drop = () => rm(path, { force: true });
  const file = await open(path, 'wx');
  try {
    let held = 0;
    for await (const chunk of body ?? []) {
      await file.writeFile(chunk);
      held += chunk.length;
      if (held > most) break;
    }
  } catch {
    // The sender has hung up, or the disk is full: there is nothing that could take effect.
    await drop();
    return undefined;
  } finally {
    await file.close();
  }
  return { read: () => createReadStream(path), drop };
}
