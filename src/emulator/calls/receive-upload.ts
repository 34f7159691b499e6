import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { badRequest, HttpError } from './http-error.ts';

/** File extension of unfinished uploads. */
const partEnding = '.part';

/**
 * Streams an upload's content to disk. The file is there completely or not at all.
 *
 * @param size announced size in bytes
 */
export async function receiveUpload({
  content,
  size,
  file,
}: {
  content: AsyncIterable<Uint8Array> | undefined;
  size: number;
  file: string;
}): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const part = `${file}.${randomUUID()}${partEnding}`;
  const handle = await open(part, 'wx');
  try {
    try {
      const received = await writeAll(handle, { content, size });
      if (received !== size) throw wrongSize(size, `received ${received}`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Deletes unfinished uploads of an earlier process. */
export async function dropParts(data: string): Promise<void> {
  const folder = join(data, 'uploads');
  const names = await readdir(folder).catch(() => []);
  for (const name of names)
    if (name.endsWith(partEnding)) await rm(join(folder, name), { force: true });
}

export function wrongSize(size: number, found: string): HttpError {
  return new HttpError(400, 'size-wrong', `Expected ${size} bytes, ${found}.`, {
    Connection: 'close',
  });
}

async function writeAll(
  handle: Awaited<ReturnType<typeof open>>,
  { content, size }: { content: AsyncIterable<Uint8Array> | undefined; size: number },
): Promise<number> {
  let received = 0;
  for await (const chunk of untilCut(content)) {
    received += chunk.length;
    if (received > size) throw wrongSize(size, 'received more');
    await handle.writeFile(chunk);
  }
  return received;
}

/** The chunks of a body. Distinguishes a sender that disconnects from a failing disk. */
async function* untilCut(
  content: AsyncIterable<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content ?? [];
  } catch {
    // There's no one left to answer. The log keeps the status.
    throw badRequest('body-cut-short', 'The body ended too early.');
  }
}
