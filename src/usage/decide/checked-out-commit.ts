import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * The checked-out commit of a folder's repository. Reads `.git` itself, because git can be missing
 * or refuse another user's folder. `undefined` if there's no `.git` or its format is unknown.
 */
export async function readCheckedOutCommit(folder: string): Promise<string | undefined> {
  const git = await findGitFolder(resolve(folder));
  if (git === undefined) return undefined;
  const head = await readText(join(git, 'HEAD'));
  const ref = /^ref: (\S+)$/.exec(head)?.[1];
  if (ref === undefined) return toCommit(head);
  // A linked worktree has its own HEAD. Its branches are in the repository's folder.
  const common = resolve(git, await readText(join(git, 'commondir')));
  const packed = (await readText(join(common, 'packed-refs'))).split('\n');
  return (
    toCommit(await readText(join(common, ref))) ??
    toCommit(packed.find((line) => line.endsWith(` ${ref}`))?.split(' ', 1)[0])
  );
}

/** A full commit hash. `undefined` for any other text, such as `HEAD`. */
export function toCommit(text = ''): string | undefined {
  const hash = text.toLowerCase();
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(hash) ? hash : undefined;
}

async function findGitFolder(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git');
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  // In a submodule or a linked worktree, `.git` is a file.
  if (found) return resolve(folder, (await readText(path)).replace(/^gitdir: /, ''));
  const above = dirname(folder);
  return above === folder ? undefined : findGitFolder(above);
}

/** Empty if the file is missing or can't be read. */
async function readText(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(() => '')).trim();
}
