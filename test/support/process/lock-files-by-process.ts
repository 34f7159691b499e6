import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';

type Act = (...words: never[]) => unknown;

let left = 0;
let tried = new Map<string, number>();

/**
 * Until the test ends, the first `times` attempts to replace or append to each file fail with EBUSY, as
 * they do while another process has the file open. So do deletions, counted per folder. Import this
 * before the code that writes files: some of it keeps a reference to `node:fs/promises` functions.
 *
 * @returns a function that counts the failed attempts
 */
export function lockFilesByProcess(times: number): () => number {
  left = times;
  tried = new Map();
  onTestFinished(() => {
    left = 0;
  });
  return () => [...tried.values()].reduce((sum, count) => sum + Math.min(count, times), 0);
}

function findLockError(name: string, words: readonly unknown[]): Error | undefined {
  if (left === 0) return undefined;
  const path = String(words[name === 'rename' ? 1 : 0]);
  // Temporary files have another name each time.
  const key = `${name} ${name === 'rm' ? dirname(path) : path}`;
  const count = (tried.get(key) ?? 0) + 1;
  tried.set(key, count);
  if (count > left) return undefined;
  const said = `EBUSY: resource busy or locked, ${name} '${words[0]}'`;
  return Object.assign(new Error(said), { code: 'EBUSY', syscall: name, path: words[0] });
}

function replace<T extends object>(target: T, name: keyof T & string, make: (real: Act) => Act) {
  target[name] = make(target[name] as Act) as T[typeof name];
}

for (const name of ['rename', 'rm', 'unlink', 'appendFile'] as const) {
  replace(fs.promises, name, (real) => async (...words) => {
    const error = findLockError(name, words);
    if (error) throw error;
    return real(...words);
  });
}
replace(fs, 'renameSync', (real) => (...words) => {
  const error = findLockError('rename', words);
  if (error) throw error;
  return real(...words);
});
replace(fs, 'rename', (real) => (...words) => {
  const error = findLockError('rename', words);
  if (!error) return real(...words);
  const done: unknown = words.at(-1);
  if (typeof done === 'function') process.nextTick(done, error);
  return undefined;
});
syncBuiltinESMExports();
