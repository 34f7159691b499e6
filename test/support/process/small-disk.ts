import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk with 256 KiB. */
export type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>;

/** Warns and returns `undefined` if this user can't mount one. */
export function mountSmallDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    console.warn('This user may not mount a disk. The tests on one that is full are skipped.');
    return undefined;
  }
  const filler = join(folder, 'filler');
  const empty = () => rmSync(filler, { force: true });
  return {
    folder,
    empty,
    setReadOnly: (isReadOnly: boolean) =>
      void execFileSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder]),
    /** Fills the disk until this many bytes are free, in steps of 4 KiB. */
    fill(free: number) {
      empty();
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - free)));
    },
    unmount() {
      // A file of a failed download can still be closing.
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
