import { afterAll } from 'vitest';
import type { TestImage } from '../images/test-images.ts';
import { type BuiltFolder, createBuiltFolder } from '../site/built-folder.ts';
import type { EmulatorProcess, EmulatorProcessOptions } from './emulator-process.ts';
import { startService } from './start-service.ts';

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
}

/** Stops after the test file. */
export async function startEmulatorLibrary(
  options: EmulatorProcessOptions = {},
): Promise<EmulatorLibrary> {
  const [folder, emulator] = await Promise.all([
    createBuiltFolder(),
    startService(libraryImages, options),
  ]);
  afterAll(() => folder.delete());
  return { folder, emulator, run: (...words) => folder.command(words, emulator.env) };
}
