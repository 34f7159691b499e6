/** Every string value in a JSON text, at any depth; `undefined` where the text is no JSON. */
export function jsonStrings(text: string): string[] | undefined {
  const rest: unknown[] = [];
  try {
    rest.push(JSON.parse(text));
  } catch {
    return undefined;
  }
  const strings: string[] = [];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string') strings.push(value);
    else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) rest.push(inner);
    }
  }
  return strings;
}
