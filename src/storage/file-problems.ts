import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The system's error code, such as `EACCES`, if there is one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/**
 * Why a result can't be written to this file, as the end of a sentence; `undefined` if it can. The
 * folder must exist: a mistyped one isn't created.
 */
export async function outputProblem(path: string): Promise<string | undefined> {
  try {
    await access(dirname(path), constants.W_OK);
    const found = await stat(path).catch(ignoreMissing);
    if (!found || found.isFile()) return undefined;
    return found.isDirectory() ? "it's a folder" : "it isn't a regular file";
  } catch (error) {
    return writeProblem(error);
  }
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

/** Also matches names with an extension or trailing spaces. */
const devices = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** Whether Windows reserves a file name for a device, so that no such file can be written. */
export function isDeviceName(name: string): boolean {
  return devices.test(name);
}
