/** A node of an ESTree, with offsets in UTF-16 code units of the whole file. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** An attribute of a tag, or a spread, which has the name `...`. */
export interface Attribute {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** `undefined` for an attribute without a value, a shorthand `{name}`, and a spread. */
  readonly value: AttributeValue | undefined;
}

export interface AttributeValue {
  readonly start: number;
  readonly end: number;
  /** A text in quotes (or without), or an expression in braces. */
  readonly content: { readonly text: string } | { readonly expression: Node };
}

/** The value of an attribute; `undefined` if it isn't a literal. */
export function attributeValue({ value }: Attribute): { value: unknown } | undefined {
  if (!value) return undefined;
  return 'text' in value.content
    ? { value: value.content.text }
    : literalValue(value.content.expression);
}

/** The value of an expression of literals; `undefined` if it has to be computed. */
export function literalValue(node: Node): { value: unknown } | undefined {
  switch (node.type) {
    case 'Literal':
      return 'regex' in node || 'bigint' in node ? undefined : { value: node.value };
    case 'TemplateLiteral': {
      const [quasi, ...others] = node.quasis as { value: { cooked: string } }[];
      return quasi && others.length === 0 ? { value: quasi.value.cooked } : undefined;
    }
    case 'UnaryExpression': {
      const argument = literalValue(node.argument as Node)?.value;
      if (typeof argument !== 'number' || node.operator !== '-') return undefined;
      return { value: -argument };
    }
    case 'ArrayExpression':
      return collect(elementsOf(node).map((element) => element && literalValue(element)));
    case 'ObjectExpression': {
      const properties = propertiesOf(node);
      const values = collect(properties?.map(({ value }) => literalValue(value)) ?? [undefined]);
      const named = properties?.map(({ name }, at) => [name, values?.value[at]]);
      return values && named && { value: Object.fromEntries(named) };
    }
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return literalValue(node.expression as Node);
    default:
      return undefined;
  }
}

/** The expression without parentheses and types around it. */
export function bareExpression(node: Node): Node {
  return /^(?:ParenthesizedExpression|TSAsExpression|TSSatisfiesExpression)$/.test(node.type)
    ? bareExpression(node.expression as Node)
    : node;
}

export interface Property {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly value: Node;
}

/** `undefined` if a name is computed, or comes from a spread. */
export function propertiesOf(object: Node): readonly Property[] | undefined {
  const nodes = object.properties as readonly Node[];
  const properties = nodes.flatMap((node) => {
    if (node.type !== 'Property' || node.computed === true || node.kind !== 'init') return [];
    const key = node.key as Node;
    const name = String(key.type === 'Identifier' ? key.name : key.value);
    return [{ name, start: node.start, end: node.end, value: node.value as Node }];
  });
  return properties.length === nodes.length ? properties : undefined;
}

export function elementsOf(array: Node): readonly (Node | undefined)[] {
  return (array.elements as readonly (Node | null)[]).map((element) => element ?? undefined);
}

function collect(
  values: readonly ({ value: unknown } | undefined)[],
): { value: unknown[] } | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? { value: known.map(({ value }) => value) } : undefined;
}
