import { spawnSync } from 'node:child_process';
import { commandEntry } from '../site/built-folder.ts';

/** Root may do all: what is refused to a person is tried as nobody. */
export const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Nobody may not enter a checkout below root's own folder, and Windows has other rights. */
export function canRunAsNobody(): boolean {
  if (process.platform === 'win32') return false;
  const run = spawnSync(process.execPath, [commandEntry, '--version'], { cwd: '/', ...nobody });
  return run.status === 0;
}
