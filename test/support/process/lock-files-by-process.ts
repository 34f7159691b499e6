import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';

type Act = (...words: never[]) => unknown;

let left = 0;
let tried = new Map<string, number>();

/**
 * From now on, and until the test ends, each file that is replaced or added to is found open in
 * another process, so many times; likewise one to be deleted in each folder. To be imported before
 * what writes files: some of it keeps the functions of `node:fs/promises` as it finds them.
 *
 * @returns how often a file was found open
 */
export function holdFiles(times: number): () => number {
  left = times;
  tried = new Map();
  onTestFinished(() => {
    left = 0;
  });
  return () => [...tried.values()].reduce((sum, count) => sum + Math.min(count, times), 0);
}

function findHeld(name: string, words: readonly unknown[]): Error | undefined {
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
    const error = findHeld(name, words);
    if (error) throw error;
    return real(...words);
  });
}
replace(fs, 'renameSync', (real) => (...words) => {
  const error = findHeld('rename', words);
  if (error) throw error;
  return real(...words);
});
replace(fs, 'rename', (real) => (...words) => {
  const error = findHeld('rename', words);
  if (!error) return real(...words);
  const done: unknown = words.at(-1);
  if (typeof done === 'function') process.nextTick(done, error);
  return undefined;
});
syncBuiltinESMExports();
