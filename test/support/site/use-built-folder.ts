import { afterEach, beforeEach } from 'vitest';
import { type BuiltFolder, createBuiltFolder } from './built-folder.ts';

/** A new folder before each test of a file. It's deleted after the test. */
export function useBuiltFolder(): BuiltFolder {
  const folder = {} as BuiltFolder;
  beforeEach(async () => void Object.assign(folder, await createBuiltFolder()));
  afterEach(() => folder.delete());
  return folder;
}
