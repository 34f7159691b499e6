import type { EmulatorSettings } from '../settings.ts';

/**
 * The parameters from query and body, or what is wrong with them.
 *
 * @param encoding Where they may stand; anywhere else they are refused.
 */
export function readTokenParameters(
  { query, body, contentType }: { query: URLSearchParams; body: Uint8Array; contentType: string },
  encoding: EmulatorSettings['tokenEncoding'],
): Map<string, string> | string {
  const kind = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const used = [
    ...(query.size > 0 ? ['query'] : []),
    ...(body.length > 0 ? [kind === 'application/json' ? 'json' : 'form'] : []),
  ];
  if (encoding !== 'any' && used.some((one) => one !== encoding))
    return `The parameters must come as ${encoding}, and in no other way.`;
  const fields = readFields(body, kind);
  if (typeof fields === 'string') return fields;
  const parameters = new Map<string, string>();
  for (const [name, value] of [...query, ...fields]) {
    if (parameters.has(name)) return `${name} is given twice.`;
    parameters.set(name, value);
  }
  return parameters;
}

/** Form fields or the text members of a JSON object (section 5 leaves the encoding open). */
function readFields(body: Uint8Array, kind: string): [string, string][] | string {
  if (body.length === 0) return [];
  const text = new TextDecoder().decode(body);
  if (kind === '' || kind === 'application/x-www-form-urlencoded')
    return [...new URLSearchParams(text)];
  if (kind !== 'application/json') return 'The body must be a form or JSON.';
  const value = parseObject(text);
  if (value === undefined) return 'The body is no JSON object.';
  const members = Object.entries(value);
  if (!members.every((member): member is [string, string] => typeof member[1] === 'string'))
    return 'The members of the JSON object must be texts.';
  return members;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
