import { parse } from 'yaml';
import type { Crop } from '../../../assets/geometry/crop.ts';
import { writeCrop } from '../../../assets/geometry/write-crop.ts';
import type { DataNode } from '../data-node.ts';

/** The props that the toolbar changes, in the order in which they're written. */
export const changeable = ['id', 'crop', 'aspect', 'focus', 'alt', 'decoration'] as const;

export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

export function writeAttribute(value: unknown): string {
  if (typeof value === 'string') return writeQuoted(value, '"');
  return `{${isCrop(value) ? writeCrop(value, 'js') : value}}`;
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
    .replace(/[\p{Cc}\u2028\u2029\p{Cs}]/gu, escapeCode);
  return `${mark}${escaped}${mark}`;
}

/**
 * Writes a value of JavaScript, YAML or JSON on one line.
 *
 * @param format.style the quotes of a text in YAML, if they can hold it
 * @param format.mark the quotes of a text in JavaScript, or a backtick
 */
export function writeValue(
  value: unknown,
  format: Pick<DataNode, 'style' | 'inFlow'> & {
    readonly syntax: 'js' | 'yaml' | 'json';
    readonly mark?: string | undefined;
  },
): string {
  const { style, inFlow, syntax, mark = "'" } = format;
  // Older compilers of Astro don't know an escaped backtick.
  const isQuote = mark === '`' ? !String(value).includes(mark) : mark === '"';
  const quote = isQuote ? mark : "'";
  if (isCrop(value)) return writeCrop(value, syntax, quote);
  if (typeof value !== 'string') return String(value);
  if (syntax === 'js') return writeText(value, quote);
  const isPrintable = !/[\p{Cc}\p{Cs}\u2028\u2029\uFEFF\uFFFE\uFFFF]/u.test(value);
  if (syntax === 'yaml' && isPrintable && style === 'plain' && isPlain(value, inFlow)) return value;
  if (syntax === 'yaml' && isPrintable && style === 'single') {
    return `'${value.replaceAll("'", "''")}'`;
  }
  return JSON.stringify(value).replace(
    /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    escapeCode,
  );
}

function escapeCode(one: string): string {
  return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Whether a text means itself without quotes, also in YAML 1.1, where `no` and dates don't. */
function isPlain(text: string, inFlow: boolean): boolean {
  if (inFlow && /[,[\]{}]/.test(text)) return false;
  return (['1.1', '1.2'] as const).every((version) => {
    try {
      const read: unknown = parse(inFlow ? `[${text}]` : `- ${text}\n`, {
        version,
        logLevel: 'error',
      });
      return Array.isArray(read) && read.length === 1 && read[0] === text;
    } catch {
      return false;
    }
  });
}

/** Of the props that change, only a crop and a focus point are objects. */
export function isCrop(value: unknown): value is Crop {
  return typeof value === 'object' && value !== null;
}
