import { html, raw } from 'hono/html';
import type { FileKind } from './file-facts.ts';
import type { Html } from './page-layout.ts';

const drawings: Readonly<Record<FileKind, string>> = {
  picture:
    '<rect x="4" y="7" width="40" height="34" rx="3"/><circle cx="16" cy="19" r="4"/><path d="m4 36 12-10 8 6 10-11 10 10"/>',
  video: '<rect x="4" y="9" width="40" height="30" rx="3"/><path d="m20 17 12 7-12 7z"/>',
  sound:
    '<path d="M18 35V11l20-4v24"/><circle cx="13" cy="35" r="5"/><circle cx="33" cy="31" r="5"/>',
  document:
    '<path d="M10 4h18l10 10v30H10z"/><path d="M28 4v10h10"/><path d="M16 23h16M16 30h16M16 37h10"/>',
  file: '<path d="M10 4h18l10 10v30H10z"/><path d="M28 4v10h10"/>',
};

/** What stands in a picture's place: a drawing of the file's kind, and its ending as text. */
export function fileIcon({ kind, format }: { kind: FileKind; format: string }): Html {
  return html`<span class="icon"><svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">${raw(drawings[kind])}</svg>${format}</span>`;
}
