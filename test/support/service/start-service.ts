import { rm } from 'node:fs/promises';
import { afterAll } from 'vitest';
import { drawTestImages, type TestImage } from '../images/test-images.ts';
import {
  type EmulatorProcess,
  type EmulatorProcessOptions,
  startEmulatorProcess,
} from './emulator-process.ts';

/** Starts a service with images as assets 4711 and on, sorted by path. Stops after the test file. */
export async function startService(
  images: readonly TestImage[],
  options: EmulatorProcessOptions = {},
): Promise<EmulatorProcess> {
  const media = await drawTestImages(images);
  const emulator = await startEmulatorProcess({ media, ...options });
  afterAll(async () => {
    await emulator.stop();
    await rm(media, { recursive: true, force: true });
  });
  return emulator;
}
