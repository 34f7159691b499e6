import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { badRequest, HttpError } from './http-error.ts';

/** Ending of a file that is still being received. */
const partEnding = '.part';

/**
 * Writes the content of an upload to disk as it comes. The file is there whole or not at all.
 *
 * @param size The bytes that were announced.
 * @throws HttpError 400 where more or fewer bytes come, or the sender hangs up.
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
      if (received !== size) throw wrongSize(size, `${received} came`);
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

/** Deletes what an end in the middle of an upload has left in the folder of uploads. */
export async function dropParts(data: string): Promise<void> {
  const folder = join(data, 'uploads');
  const names = await readdir(folder).catch(() => []);
  for (const name of names)
    if (name.endsWith(partEnding)) await rm(join(folder, name), { force: true });
}

export function wrongSize(size: number, found: string): HttpError {
  return new HttpError(400, 'size-wrong', `${size} bytes were announced, ${found}.`, {
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
    if (received > size) throw wrongSize(size, 'more came');
    await handle.writeFile(chunk);
  }
  return received;
}

/** The chunks of a body; a sender that hangs up is told apart from a disk that fails. */
async function* untilCut(
  content: AsyncIterable<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content ?? [];
  } catch {
    // There is no one left to answer: the log keeps the status.
    throw badRequest('body-cut-short', 'The body ended too early.');
  }
}
