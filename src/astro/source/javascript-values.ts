import type { SyntaxNode } from './site-parsers.ts';
import type { Edit } from './text-edits.ts';

/** A value that only a running page knows. */
export class NotLiteral extends Error {
  override readonly name = 'NotLiteral';
}

/** The value of a JSX attribute or a JavaScript expression. @throws `NotLiteral` */
export function literalOf(value: unknown): unknown {
  if (value === null || value === undefined) return true;
  const node = value as SyntaxNode;
  switch (node.type) {
    case 'Literal':
      return node.value;
    case 'JSXExpressionContainer':
      return literalOf(node.expression);
    case 'UnaryExpression':
      if (node.operator === '-') return -Number(literalOf(node.argument));
      throw new NotLiteral();
    case 'TemplateLiteral': {
      const [text] = node.quasis as { value: { cooked: string } }[];
      if ((node.expressions as unknown[]).length > 0) throw new NotLiteral();
      return text?.value.cooked;
    }
    case 'ArrayExpression':
      return (node.elements as unknown[]).map(literalOf);
    case 'ObjectExpression':
      return Object.fromEntries(
        (node.properties as SyntaxNode[]).map((property) => [
          keyOf(property),
          literalOf(property.value),
        ]),
      );
    default:
      throw new NotLiteral();
  }
}

function keyOf({ type, computed, shorthand, key }: SyntaxNode): string {
  if (type !== 'Property' || computed || shorthand) throw new NotLiteral();
  const { name, value } = key as { name?: string; value?: unknown };
  return name ?? String(value);
}

/** An attribute's value in our style: `{4711}`, `"A quay"`, `{{ x: 1, y: 2 }}`. */
export function valueText(value: unknown): string {
  if (typeof value === 'string' && !/["&\n]/.test(value)) return `"${value}"`;
  return `{${expressionText(value)}}`;
}

function expressionText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{ ${entries.map(([key, one]) => `${key}: ${expressionText(one)}`).join(', ')} }`;
}

/**
 * Writes other values into an object with the same keys, and leaves everything else as it is.
 * `undefined` if the keys differ.
 */
export function objectText(node: SyntaxNode, value: unknown, source: string): Edit | undefined {
  if (node.type !== 'ObjectExpression' || typeof value !== 'object' || value === null) {
    return undefined;
  }
  const properties = node.properties as SyntaxNode[];
  const given = new Map(Object.entries(value).filter(([, one]) => one !== undefined));
  if (properties.length !== given.size) return undefined;
  let text = '';
  let end = node.start;
  for (const property of properties) {
    const { name, value: quoted } = property.key as { name?: string; value?: string };
    const one = given.get(name ?? String(quoted));
    const written = property.value as SyntaxNode;
    if (one === undefined) return undefined;
    text += source.slice(end, written.start) + expressionText(one);
    end = written.end;
  }
  return { start: node.start, end: node.end, text: text + source.slice(end, node.end) };
}

/** Sets or removes a property of an object that has at least one other. `null` removes it. */
export function propertyEdit(
  node: SyntaxNode,
  { name, value, source }: { name: string; value: unknown; source: string },
): Edit[] {
  const properties = node.properties as SyntaxNode[];
  const at = properties.findIndex((property) => keyOf(property) === name);
  const property = properties[at];
  if (property && value !== null) {
    const written = property.value as SyntaxNode;
    const { start, end } = written;
    return [objectText(written, value, source) ?? { start, end, text: expressionText(value) }];
  }
  if (property) {
    const before = properties[at - 1];
    const after = properties[at + 1];
    if (before) return [{ start: before.end, end: property.end, text: '' }];
    return [{ start: property.start, end: after?.start ?? property.end, text: '' }];
  }
  const last = properties.at(-1);
  if (!last || value === null) return [];
  const text = `, ${name}: ${expressionText(value)}`;
  return [{ start: last.end, end: last.end, text }];
}
