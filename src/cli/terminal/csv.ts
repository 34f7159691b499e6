/** CSV (RFC 4180) that spreadsheets read as UTF-8, and without cells that they take for formulas. */
export function toCsv(
  names: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const lines = [names, ...rows.map(Object.values)].map((row) => row.map(toCell).join(','));
  return `\uFEFF${lines.join('\r\n')}\r`;
}

function toCell(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '');
  // Some of them also start a cell at a semicolon, a tab or a line break, with or without a quote.
  const safe = text.replace(/(?<![\s";])[\s";]*(?=[=+\-@＝＋－＠])/g, (before, at) =>
    at === 0 || /[;\t\r\n]/.test(before) ? `${before}'` : before,
  );
  return `"${safe.replaceAll('"', '""')}"`;
}
