import type { FileRecord } from '../../service/types.ts';

/**
 * Fields that services in the wild have, and the option `record` with them. The interface names only
 * `id`, `name` and `filename`. An asset without consent, or without a record, is forbidden.
 */
const rules: readonly {
  readonly names: readonly string[];
  readonly line: (name: string) => string;
}[] = [
  { names: ['alttext', 'alt'], line: (name) => `alt: fields.${name},` },
  { names: ['photographer', 'credit'], line: (name) => `credit: fields.${name},` },
  {
    names: ['gdprStatus'],
    line: (name) => `rights: fields.${name} === 'OK' ? 'allowed' : 'forbidden',`,
  },
];

export const knownFields = rules.flatMap(({ names }) => names);

/** The code of the option `record` for a record's fields; `undefined` if it has none that we know. */
export function recordRule({ fields }: Pick<FileRecord, 'fields'>): string | undefined {
  const read = rules.flatMap(({ names, line }) => {
    const name = names.find((one) => fields[one] !== undefined);
    return name === undefined ? [] : [{ name, line: line(name) }];
  });
  if (read.length === 0) return undefined;
  return `{
  fields: [${read.map(({ name }) => `'${name}'`).join(', ')}],
  read: (fields) => ({
${read.map(({ line }) => `    ${line}`).join('\n')}
  }),
}`;
}
