import { rm } from 'node:fs/promises';
import { drawTestImages, type TestImage } from '../images/test-images.ts';
import { type BuiltFolder, createBuiltFolder } from '../site/built-folder.ts';
import {
  type EmulatorProcess,
  type EmulatorProcessOptions,
  startEmulatorProcess,
} from './emulator-process.ts';

/** Images in folders, as assets 4711 to 4713, in this order. */
export const libraryImages: readonly TestImage[] = [
  { path: 'boats/ferry.jpg', width: 240, height: 160 },
  { path: 'boats/quay.jpg', width: 600, height: 400 },
  { path: 'boats/旅/港の夜明け.png', width: 120, height: 80 },
];

/** A working directory for commands, and the service that they use. */
export interface EmulatorLibrary {
  readonly folder: BuiltFolder;
  readonly emulator: EmulatorProcess;
  /** Runs `media-asset` with the service's credentials. */
  run(...words: readonly string[]): ReturnType<BuiltFolder['command']>;
  close(): Promise<void>;
}

export async function startEmulatorLibrary(
  options: EmulatorProcessOptions = {},
): Promise<EmulatorLibrary> {
  const media = await drawTestImages(libraryImages);
  const [folder, emulator] = await Promise.all([
    createBuiltFolder(),
    startEmulatorProcess({ media, ...options }),
  ]);
  return {
    folder,
    emulator,
    run: (...words) => folder.command(words, emulator.env),
    async close() {
      await emulator.stop();
      await folder.delete();
      await rm(media, { recursive: true, force: true });
    },
  };
}
