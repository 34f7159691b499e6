import type { FileBytes } from './file-bytes.ts';
import { readMp4Size } from './read-mp4-size.ts';
import { readWebmSize } from './read-webm-size.ts';
import type { Size } from './rendition.ts';

/**
 * The size at which a video is shown, from the headers of an MP4, QuickTime or WebM file;
 * `undefined` where they don't say it.
 */
export async function readVideoSize(file: FileBytes): Promise<Size | undefined> {
  const start = await file.read(0, 8);
  const isWebm = start.length >= 4 && start.readUInt32BE(0) === 0x1a45dfa3;
  const size = isWebm ? await readWebmSize(file) : await readMp4Size(file);
  return size && isUsable(size.width) && isUsable(size.height) ? size : undefined;
}

function isUsable(side: number): boolean {
  return Number.isInteger(side) && side >= 1 && side <= 65_535;
}
