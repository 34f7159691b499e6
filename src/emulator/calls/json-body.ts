import { badRequest, HttpError } from './http-error.ts';

/** An object with its fields in the case that the interface shows. Others stay as they are. */
export function inKnownCase(value: unknown, known: readonly string[]): Record<string, unknown> {
  const names = new Map(known.map((name) => [name.toLowerCase(), name]));
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(
    fields.map(([name, field]) => [names.get(name.toLowerCase()) ?? name, field]),
  );
}

export function parseJsonBody(body: Uint8Array, contentType: string): unknown {
  if (contentType.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json')
    throw new HttpError(415, 'content-type-unsupported', 'The body must be application/json.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw badRequest('json-invalid', "The body isn't JSON in UTF-8.");
  }
}
