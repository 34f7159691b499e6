import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OwnFolders {
  /** Makes a folder; its path. */
  make(name: string): string;
  /** Deletes all that was made. */
  delete(): Promise<void>;
}

/** Temporary folders for what an emulator wasn't given. */
export function createOwnFolders(): OwnFolders {
  let parent: string | undefined;
  return {
    make(name) {
      parent ??= mkdtempSync(join(tmpdir(), 'media-asset-emulator-'));
      const folder = join(parent, name);
      mkdirSync(folder);
      return folder;
    },
    async delete() {
      if (parent !== undefined) await rm(parent, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
