/** The system's error code, such as `EACCES`, if there is one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Why writing a file failed, as the end of a sentence. */
export function writeProblem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return problems[errorCode(error) ?? ''] ?? text;
}

/** Handles a missing file. Rethrows every other error. */
export function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "its folder doesn't exist",
  ENOTDIR: "its folder doesn't exist",
  EACCES: "its folder isn't writable",
  EPERM: "its folder isn't writable",
  EBUSY: 'another program has it open',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: "it's larger than the file system allows",
  ENAMETOOLONG: 'its name is too long',
};
