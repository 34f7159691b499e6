/**
 * Writes a value as JavaScript: `{ x: 400, y: 200, width: 2400, height: 1600 }`.
 *
 * @param mark the quotes of a text, or a backtick
 */
export function writeLiteral(value: unknown, mark = "'"): string {
  if (typeof value === 'string') return writeText(value, /^['"`]$/.test(mark) ? mark : "'");
  if (typeof value !== 'object' || value === null) return String(value);
  const unit = Reflect.get(value, 'unit') === 'fraction' ? [['unit', 'fraction']] : [];
  const entries = Object.entries(value).filter(
    ([name, one]) => name !== 'unit' && one !== undefined,
  );
  const written = [...unit, ...entries].map(([name, one]) => `${name}: ${writeLiteral(one, mark)}`);
  return `{ ${written.join(', ')} }`;
}

/**
 * Writes an attribute's text in quotes, or as an expression if quotes can't hold it. `.astro` files
 * have no entities in props, and MDX has them: neither is needed.
 */
export function writeQuoted(text: string, mark: '"' | "'"): string {
  const isPlain = !/&[#\w]|\\|[^\P{Cc}]|[\u2028\u2029]/u.test(text);
  const other = mark === '"' ? "'" : '"';
  if (isPlain && !text.includes(mark)) return `${mark}${text}${mark}`;
  if (isPlain && !text.includes(other)) return `${other}${text}${other}`;
  return `{${writeText(text, "'")}}`;
}

function writeText(text: string, mark: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(mark, `\\${mark}`)
    .replaceAll('${', mark === '`' ? '\\${' : '${')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replace(/[\p{Cc}\u2028\u2029\p{Cs}]/gu, (one) => {
      return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
  return `${mark}${escaped}${mark}`;
}
