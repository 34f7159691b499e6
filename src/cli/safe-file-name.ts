import { isDeviceName } from '../storage/is-device-name.ts';

/** In UTF-8: what common file systems take, with room for a temporary name. */
const longest = 200;

/**
 * A file name of the service as a name that stands for one visible file in one folder on every
 * system: no separator, no `..`, no drive, device or stream, and no longer than they take.
 *
 * @param fallback where nothing of it is left
 */
export function safeFileName(name: string, fallback: string): string {
  const plain = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '-')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  if (plain === '') return fallback;
  const [, stem = '', ending = ''] = /^(.*?)(\.[^.]{1,20})?$/su.exec(plain) ?? [];
  const room = longest - Buffer.byteLength(ending);
  // A name that ends with a space or a dot once it is cut is another one on Windows.
  const cut = cutToBytes(stem, room).replace(/[.\s]+$/, '');
  const kept = `${cut}${ending}`;
  if (cut === '') return fallback;
  return isDeviceName(kept) ? `_${kept}` : kept;
}

function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) return kept;
    kept += character;
  }
  return kept;
}
