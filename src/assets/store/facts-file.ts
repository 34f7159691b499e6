import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../storage/file-problems.ts';
import { retryLockedFile } from '../../storage/retry-locked-file.ts';
import { type AssetFacts, addFacts, emptyFacts, factsName, readFacts } from './asset-facts.ts';

/** The facts of one asset: those in its file, and those that aren't written yet. */
export interface FactsFile {
  /** Both. */
  facts(): Readonly<AssetFacts>;
  /** Adds facts, which `save` writes. */
  note(facts: Partial<AssetFacts>): void;
  /** Reads the file again if another process has written it. */
  refresh(): void;
  /** Changes the file, which is written as a whole. No other process sees a part of it. */
  change(change: (stored: AssetFacts) => AssetFacts): Promise<void>;
  /** Writes what isn't written yet. */
  save(): Promise<void>;
}

/**
 * @param folder the asset's
 * @param temporary the folder of files that aren't complete
 */
export function openFactsFile(folder: string, temporary: string): FactsFile {
  const path = join(folder, factsName);
  /** Identifies the file that was read or written last. */
  let stamp = '';
  let stored = emptyFacts();
  let noted: AssetFacts | undefined;
  let both = emptyFacts();
  refresh();

  function refresh(): void {
    if (stampOf(path) !== stamp) put(readFacts(folder) ?? emptyFacts());
  }

  function put(facts: AssetFacts): void {
    stamp = stampOf(path);
    stored = facts;
    both = joinFacts(stored, noted);
  }

  async function write(change: (stored: AssetFacts) => AssetFacts): Promise<void> {
    const file = join(temporary, crypto.randomUUID());
    try {
      await inFolders([temporary, folder], async () => {
        // Nothing is awaited between reading and writing, so that no other work comes in between.
        refresh();
        const facts = change(stored);
        writeFileSync(file, JSON.stringify(facts));
        renameSync(file, path);
        put(facts);
      });
    } catch (thrown) {
      rmSync(file, { force: true });
      throw thrown;
    }
  }

  return {
    facts: () => both,
    note(facts) {
      noted ??= emptyFacts();
      addFacts(noted, facts);
      addFacts(both, facts);
    },
    refresh,
    change: write,
    async save() {
      const saved = noted;
      if (!saved) return;
      noted = undefined;
      await write((facts) => joinFacts(facts, saved)).catch((thrown: unknown) => {
        noted = joinFacts(saved, noted);
        throw thrown;
      });
    },
  };
}

/** Both, as new facts. */
function joinFacts(one: AssetFacts, other: Partial<AssetFacts> = {}): AssetFacts {
  const joined = emptyFacts();
  for (const facts of [one, other]) addFacts(joined, facts);
  return joined;
}

/** Changes whenever a process writes the file. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : '';
}

/** How often another process may delete a folder while a file is written to it. */
const mostAttempts = 5;

/**
 * Writes files, and creates their folders if one is missing. Another process may be clearing the cache
 * and delete them again.
 */
export async function inFolders(
  folders: readonly string[],
  write: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt > 1) for (const folder of folders) await mkdir(folder, { recursive: true });
      return await retryLockedFile(write);
    } catch (thrown) {
      // Creating a folder that is being deleted fails with ENOTDIR.
      const isMissing = ['ENOENT', 'ENOTDIR'].includes(errorCode(thrown) ?? '');
      if (attempt === mostAttempts || !isMissing) throw thrown;
    }
  }
}
