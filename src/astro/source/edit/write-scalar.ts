import { parse } from 'yaml';
import type { DataNode } from '../data-node.ts';

export type Syntax = 'yaml' | 'json';

/**
 * Writes a value on one line: `{ x: 400, y: 200, width: 2400, height: 1600 }`.
 *
 * @param options.style the quotes of a text, if they can hold it
 */
export function writeScalar(
  value: unknown,
  { style, inFlow, syntax }: Pick<DataNode, 'style' | 'inFlow'> & { syntax: Syntax },
): string {
  if (typeof value === 'object' && value !== null) {
    const entries = orderedEntries(value).map(([name, one]) => {
      const written = writeScalar(one, { style: 'plain', inFlow: true, syntax });
      return `${writeKey(name, syntax)}: ${written}`;
    });
    return `{ ${entries.join(', ')} }`;
  }
  if (typeof value !== 'string') return String(value);
  const isPrintable = !/[\p{Cc}\p{Cs}\u2028\u2029\uFEFF\uFFFE\uFFFF]/u.test(value);
  if (syntax === 'yaml' && isPrintable && style === 'plain' && isPlain(value, inFlow)) return value;
  if (syntax === 'yaml' && isPrintable && style === 'single') {
    return `'${value.replaceAll("'", "''")}'`;
  }
  return JSON.stringify(value).replace(/[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g, (one) => {
    return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

export function writeKey(name: string, syntax: Syntax): string {
  return syntax === 'json' ? JSON.stringify(name) : name;
}

/** The entries of a crop or a focus, the unit first. */
export function orderedEntries(value: object): [string, unknown][] {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return entries.toSorted(([one], [other]) => Number(other === 'unit') - Number(one === 'unit'));
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
