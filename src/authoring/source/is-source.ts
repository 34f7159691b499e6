import paths from 'node:path';

/** Whether a file is below the project's folder, and neither in `node_modules` nor in a hidden folder. */
export function isSource(
  folder: string,
  path: string,
  system: Pick<typeof paths, 'relative' | 'isAbsolute' | 'sep'> = paths,
): boolean {
  const below = system.relative(folder, path);
  // On Windows, there's no relative path to another drive.
  if (below === '' || system.isAbsolute(below)) return false;
  return below
    .split(system.sep)
    .every((name) => name.toLowerCase() !== 'node_modules' && !name.startsWith('.'));
}
