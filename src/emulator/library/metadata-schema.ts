import { z } from 'zod';

type MetadataValue = string | number | boolean | null | readonly string[];

export type Metadata = Readonly<Record<string, MetadataValue>>;

/** A field that the interface doesn't define. */
const fieldName = z
  .string()
  .regex(/^[A-Za-z_][\w.-]{0,63}$/, 'expected a name of letters, digits, _, . and -');

const text = z.string().max(10_000);

/** The fields of a record that the interface doesn't define. `null` removes a field. */
export const metadataSchema = z
  .record(fieldName, z.union([text, z.number(), z.boolean(), z.null(), z.array(text).max(1000)]))
  .refine((metadata) => Object.keys(metadata).length <= 100, 'expected at most 100 fields');
