import type { Crop } from '../../../assets/geometry/crop.ts';
import { writeCrop } from '../../../assets/geometry/write-crop.ts';
import type { AssetChange } from '../../toolbar/protocol.ts';
import type { DataNode } from '../data-node.ts';

/** The props that the toolbar changes, in the order in which they're written. */
export const changeable = ['id', 'crop', 'aspect', 'focus', 'alt', 'decoration', 'poster'] as const;

export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** A line that imports names, in the style of a text. */
export function importLine(text: string, names: string, from: string): string {
  const [, quote = "'", end = ';'] = /\bfrom (["'])[^"'\n]*\1(;?)/.exec(text) ?? [];
  return `import ${names} from ${quote}${from}${quote}${end}${lineEnd(text)}`;
}

/**
 * Writes an attribute's value: a text in quotes, or as an expression if quotes can't hold it. `.astro`
 * files have no entities in props, and MDX has them: neither is needed.
 */
export function writeAttribute(value: unknown): string {
  const expression = `{${writeValue(value, { style: 'quoted', syntax: 'js' })}}`;
  if (typeof value !== 'string') return expression;
  const isPlain = !/&[#\w]|\\|[^\P{Cc}]|[\u2028\u2029]/u.test(value);
  const mark = isPlain && ['"', "'"].find((one) => !value.includes(one));
  return mark ? `${mark}${value}${mark}` : expression;
}

/**
 * Writes a value of JavaScript, YAML or JSON on one line.
 *
 * @param format.style `plain` for a text of YAML without quotes, if it needs none
 */
export function writeValue(
  value: unknown,
  { style, syntax }: Pick<DataNode, 'style'> & { readonly syntax: 'js' | 'yaml' | 'json' },
): string {
  if (isPoster(value)) {
    const { id, crop } = value;
    return crop ? `{ id: ${id}, crop: ${writeCrop(crop, syntax)} }` : String(id);
  }
  if (isCrop(value)) return writeCrop(value, syntax);
  if (typeof value !== 'string') return String(value);
  const isPrintable = !/[\p{Cc}\p{Cs}\u2028\u2029\uFEFF\uFFFE\uFFFF]/u.test(value);
  if (syntax === 'yaml' && isPrintable && style === 'plain' && plainWords.test(value)) return value;
  return JSON.stringify(value).replace(
    /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Words that mean themselves without quotes, also in lists and YAML 1.1, where `no` and dates don't. */
const plainWords =
  /^(?!(?:y|yes|n|no|true|false|on|off|null)$)\p{L}[\p{L}\p{M}\p{N} .;!?'’()-]*(?<! )$|^media:[\w?=&-]+$/iu;

/** Of the props that change, only a crop, a focus point and a poster are objects. */
export function isCrop(value: unknown): value is Crop {
  return typeof value === 'object' && value !== null;
}

function isPoster(value: unknown): value is NonNullable<AssetChange['poster']> {
  return isCrop(value) && 'id' in value;
}

/** Escapes the characters of a text that have a meaning in a Markdown file, with GFM, or in MDX. */
export function escapeLabel(text: string): string {
  return text
    .replace(/[\\[\]`*_~|^<{}]/g, '\\$&')
    .replace(/&(?=[#\w])/g, '\\&')
    .replace(/[\r\n\t]|^ +| +$/g, (all) =>
      Array.from(all, (one) => `&#${one.charCodeAt(0)};`).join(''),
    );
}
