import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
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

/** Runs `media-asset` as this user, and returns how it fails. */
export function failUnprivileged(
  cwd: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<{ code: number; stderr: string }> {
  const env = { ...variables, PATH: process.env.PATH, HOME: cwd, NO_COLOR: '1' };
  const options = { cwd, env, ...unprivilegedUser };
  return promisify(execFile)(process.execPath, [commandEntry, ...words], options).then(
    () => Promise.reject(new Error('It was not refused.')),
    (error) => error,
  );
}
