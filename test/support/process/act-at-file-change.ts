import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Act = (...words: never[]) => unknown;

/** Functions that change a folder or a file, and which of their arguments is its path. */
const changing = { mkdir: 0, open: 0, writeFile: 0, rename: 1, link: 1, rm: 0, rmdir: 0 };

let note: (path: unknown) => void = () => {};

/**
 * Acts once this process has made a number of changes below a folder. It misses none, as a watcher in
 * another process does. Import this before the code that changes files: some of it keeps references to
 * the file system's functions.
 */
export function actAtFileChange(folder: string, change: number, act: () => void): void {
  let seen = 0;
  note = (path) => {
    if (!String(path).startsWith(folder)) return;
    seen += 1;
    if (seen === change) act();
  };
}

function replace(target: object, name: string, make: (real: Act) => Act): void {
  const functions = target as Record<string, Act>;
  const real = functions[name];
  if (!real) throw new Error(`The file system has no ${name}.`);
  functions[name] = make(real);
}

for (const [name, index] of Object.entries(changing)) {
  replace(fs.promises, name, (real) => async (...words) => {
    const done = await real(...words);
    note(words[index]);
    return done;
  });
  replace(fs, `${name}Sync`, (real) => (...words) => {
    const done = real(...words);
    note(words[index]);
    return done;
  });
}
syncBuiltinESMExports();
