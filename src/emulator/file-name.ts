import { Refusal } from './refusal.ts';

/** Longest file name in bytes: what common file systems take. */
const maxBytes = 255;

/** Names that Windows keeps for devices, whatever their ending. */
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/**
 * A file name that every common file system takes as the name of a file in one folder: whoever
 * downloads the file may save it under this name.
 *
 * @param field What the caller named it.
 * @throws Refusal 400.
 */
export function parseFileName(value: unknown, field: string): string {
  const problem = problemOf(value);
  if (problem !== undefined) throw new Refusal(400, 'filename-invalid', `${field} ${problem}.`);
  return value as string;
}

function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return 'must be a text';
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  if (Buffer.byteLength(value) > maxBytes) return `must have at most ${maxBytes} bytes`;
  if (/[/\\\p{Cc}]/u.test(value)) return 'must hold no slash, backslash or control character';
  if (/[<>:"|?*]/.test(value)) return 'must hold none of < > : " | ? *';
  if (/^\.|[. ]$|^ /.test(value))
    return 'must not begin with a dot, or begin or end with a space, or end with a dot';
  if (deviceName.test(value)) return 'must be no name of a device, such as CON';
  return undefined;
}

/**
 * A name that no other file of a folder has: `ferry.jpg`, then `ferry (2).jpg`. Names that differ
 * by case or by the way Unicode writes them count as one.
 *
 * @param taken The names in the folder.
 */
export function freeFileName(name: string, taken: readonly string[]): string {
  const known = new Set(taken.map(comparable));
  if (!known.has(comparable(name))) return name;
  const ending = name.match(/(?<=.)\.[^.]*$/)?.[0] ?? '';
  const stem = name.slice(0, name.length - ending.length);
  for (let number = 2; ; number++) {
    const suffix = ` (${number})${ending}`;
    const candidate = `${cutTo(stem, maxBytes - Buffer.byteLength(suffix))}${suffix}`;
    if (!known.has(comparable(candidate))) return candidate;
  }
}

function comparable(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** The longest start of a text that has at most so many bytes. */
function cutTo(text: string, bytes: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > bytes) cut = [...cut].slice(0, -1).join('');
  return cut;
}
