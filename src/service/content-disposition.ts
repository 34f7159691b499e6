/**
 * The file name of a `Content-Disposition` header (RFC 6266), as the service writes it: not yet safe
 * as a path. `filename*` is preferred, in UTF-8 or ISO 8859-1.
 */
export function filenameOf(header: string | null): string | undefined {
  if (header === null || header.length > 4096) return undefined;
  const extended = /;\s*filename\*\s*=\s*(utf-8|iso-8859-1)'[^']*'([^\s;"]+)/i.exec(header);
  const decoded = extended && decode(extended[2] ?? '', (extended[1] ?? '').toLowerCase());
  if (decoded) return decoded;
  const [, quoted, token] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(header) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') || token || undefined;
}

function decode(text: string, charset: string): string | undefined {
  try {
    if (charset === 'utf-8') return decodeURIComponent(text);
    return text.replace(/%([\da-f]{2})/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  } catch {
    // Not UTF-8: `filename` may say it.
    return undefined;
  }
}
