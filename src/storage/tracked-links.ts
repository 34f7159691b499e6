import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mediaAssetError } from '../errors/errors.ts';

/**
 * Refuses links that Git tracks: whoever commits one chooses where secrets and originals are written.
 * A link that only this machine has is fine. If Git doesn't answer, each link may be tracked.
 *
 * @param paths below `folder`, with `/`, in any case. Everything in them and their folders count too
 * @throws `link-tracked`
 */
export function refuseTrackedLinks(folder: string, paths: readonly string[]): void {
  const tops = paths.map((path) => (path.startsWith('../') ? path : `${path.split('/')[0]}`));
  // Git neither runs a program that its settings name, nor refuses another user's folder.
  const list = ['-c', 'core.fsmonitor=false', '-c', 'safe.directory=*', 'ls-files', '-sz', '--'];
  const words = [...list, ...tops.map((path) => `:(icase,literal)${path}`)];
  // In a hook of Git, its variables can name another repository.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(own), LC_ALL: 'C' };
  const git = spawnSync('git', words, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 30, env });
  const hasNone = /not a git repository|outside repository/.test(git.stderr);
  const links =
    git.status === 0 || hasNone
      ? Array.from(git.stdout.matchAll(/120000 [^\t\0]*\t([^\0]*)/g), ([, path = '']) => path)
      : [...tops, ...paths.flatMap((path) => withContent(folder, path))].filter((path) =>
          lstatSync(join(folder, path), { throwIfNoEntry: false })?.isSymbolicLink(),
        );
  const lower = (path: string) => `${path}/`.toLowerCase();
  const isIn = (path: string, folder: string) => lower(path).startsWith(lower(folder));
  const link = links.find((link) => paths.some((path) => isIn(path, link) || isIn(link, path)));
  if (link !== undefined) throw mediaAssetError('link-tracked', { path: join(folder, link) });
}

function withContent(folder: string, path: string): string[] {
  const isFolder = lstatSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory();
  const names = isFolder ? readdirSync(join(folder, path), { recursive: true }) : [];
  return [path, ...names.map((name) => `${path}/${String(name).replaceAll('\\', '/')}`)];
}
