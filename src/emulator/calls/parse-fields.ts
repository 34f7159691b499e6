import { badRequest } from './http-error.ts';

/** The fields to return of each record; `undefined` for all. */
export type WantedFields = ReadonlySet<string> | undefined;

/**
 * Reads the parameter `fields`: comma-separated names, or `all` (the default). Unknown names select
 * nothing.
 */
export function parseFields(query: URLSearchParams): WantedFields {
  const text = onlyValue(query, 'fields');
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  if (names.length > 100 || names.some((name) => !/^[a-z_][\w.-]{0,63}$/i.test(name)))
    throw badRequest(
      'fields-invalid',
      `fields must be all, or up to 100 names separated by commas; received ${text.slice(0, 80) || 'nothing'}.`,
    );
  return names.includes('all') ? undefined : new Set(names);
}

export function selectFields(
  record: Readonly<Record<string, unknown>>,
  fields: WantedFields,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields?.has(name) ?? true));
}

/** Reads a parameter that may be given once. Throws HttpError 400 if it's repeated. */
export function onlyValue(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw badRequest('parameter-repeated', `${name} must be given once.`);
  return values[0];
}
