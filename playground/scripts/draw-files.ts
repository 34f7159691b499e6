import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { drawFilm } from './films/draw-film.ts';
import { drawProgramme } from './papers/draw-programme.ts';
import { drawBell } from './sounds/draw-bell.ts';

interface MediaFile {
  /** Below the media folder. */
  readonly path: string;
  readonly draw: (mediaFolder: string) => Promise<Buffer> | Buffer;
}

/**
 * What is no picture, in the order of its path: behind all pictures, so that these keep their ids.
 */
export const files: readonly MediaFile[] = [
  { path: 'visitors/bell.wav', draw: drawBell },
  { path: 'visitors/dawn-film.webm', draw: drawFilm },
  { path: 'visitors/programme.pdf', draw: drawProgramme },
];

/** Makes the files that the folder lacks, once its pictures are there; gives their paths. */
export async function drawFiles(
  folder: string,
  onDrawn: (path: string) => void = () => {},
): Promise<string[]> {
  const missing = files.filter(({ path }) => !existsSync(join(folder, path)));
  for (const { path, draw } of missing) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    // The emulator passes over names with a leading dot: half a file must not take an id.
    const unfinished = join(dirname(file), `.${basename(file)}.unfinished`);
    await writeFile(unfinished, await draw(folder));
    await rename(unfinished, file);
    onDrawn(path);
  }
  return missing.map(({ path }) => path);
}
