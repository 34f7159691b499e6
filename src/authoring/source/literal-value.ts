import { type DataEntry, type DataNode, listNode, mapNode } from './data-node.ts';
import type { Range } from './source-text.ts';

/** A node of an ESTree, with offsets in UTF-16 code units of the whole file. */
export interface Node extends Range {
  readonly type: string;
  readonly [property: string]: unknown;
}

export function expressionValue(node: Node): DataNode {
  const { start, end } = node;
  const given = { start, end, inFlow: true, style: 'flow', isWhole: true } as const;
  const scalar = (literal: DataNode['literal']): DataNode => {
    return { start, end, inFlow: true, style: 'plain', literal };
  };
  switch (node.type) {
    case 'Literal':
      return scalar('regex' in node || 'bigint' in node ? undefined : { value: node.value });
    case 'TemplateLiteral': {
      const [quasi, ...others] = node.quasis as { value: { cooked: string } }[];
      return scalar(quasi && others.length === 0 ? { value: quasi.value.cooked } : undefined);
    }
    case 'UnaryExpression': {
      const value = expressionValue(node.argument as Node).literal?.value;
      const isNegative = typeof value === 'number' && node.operator === '-';
      return scalar(isNegative ? { value: -value } : undefined);
    }
    case 'ArrayExpression': {
      const elements = node.elements as readonly (Node | null)[];
      return listNode(
        elements.map((element) => (element ? expressionValue(element) : scalar(undefined))),
        given,
      );
    }
    case 'ObjectExpression': {
      const nodes = node.properties as readonly Node[];
      const entries = nodes.flatMap(entryOf);
      return mapNode(entries, { ...given, isWhole: entries.length === nodes.length });
    }
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return expressionValue(node.expression as Node);
    default:
      return scalar(undefined);
  }
}

/** None if the name is computed, or comes from a spread. */
function entryOf(property: Node): DataEntry[] {
  const { type, computed, kind, start, end } = property;
  if (type !== 'Property' || computed === true || kind !== 'init') return [];
  const key = property.key as Node;
  const name = String(key.type === 'Identifier' ? key.name : key.value);
  return [{ name, key, value: expressionValue(property.value as Node), start, end }];
}
