import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type PageKind, pageFile, pageMaker } from './make-page.ts';

/** A folder of generated pages. */
export interface PageFolder extends PageKind {
  readonly dir: string;
  readonly pages: number;
  /** Whether Astro has built them. They're in `notes`. */
  readonly isBuilt?: boolean;
}

/** Writes this many pages to a new folder below the system's temporary one. */
export async function writePages(pages: number, kind: PageKind): Promise<PageFolder> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-pages-'));
  const makePage = pageMaker(kind);
  for (let number = 0; number < pages; number += 1) {
    const path = join(dir, pageFile(number));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, makePage(number).html);
  }
  return { dir, pages, ...kind };
}

export async function removePages(folders: readonly PageFolder[]): Promise<void> {
  for (const { dir } of folders) await rm(dir, { recursive: true, force: true });
}
