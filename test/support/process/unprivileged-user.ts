import { spawnSync } from 'node:child_process';
import { commandEntry } from '../site/built-folder.ts';

/** Spawn options for a user without privileges, because root may read and write everything. */
export const unprivilegedUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** False on Windows, and in a checkout that the user can't read, such as one below root's home. */
export function canRunUnprivileged(): boolean {
  if (process.platform === 'win32') return false;
  const run = spawnSync(process.execPath, [commandEntry, '--version'], {
    cwd: '/',
    ...unprivilegedUser,
  });
  return run.status === 0;
}
