const longest = 120;

/**
 * The name of a file of the service as people may see it: without folders, ending, control and
 * direction characters. `undefined` where nothing is left.
 */
export function fileTitle(filename: string | undefined): string | undefined {
  const last = plainName(filename ?? '')
    .split(/[/\\]/)
    .at(-1);
  const stem = last?.replace(/(?<=[^.])\.[^.\s]{1,10}$/, '').replace(/^[.\s]+|[.\s]+$/g, '');
  return stem ? Array.from(stem).slice(0, longest).join('').trimEnd() : undefined;
}

/** The name that a browser keeps a download under. */
export function downloadFileName(title: string, extension: string): string {
  const stem = fileTitle(`${plainName(title).replace(/[/\\:*?"<>|]/g, '-')}.${extension}`);
  return `${stem ?? 'file'}.${extension}`;
}

function plainName(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
}
