import { z } from 'zod';
import type { Metadata } from '../library/metadata-schema.ts';
import { metadataSchema } from '../library/metadata-schema.ts';
import type { EmulatorSettings } from '../settings.ts';
import { declaredFields, recordFields } from './file-record.ts';
import { badRequest, type HttpError } from './http-error.ts';
import { parseJsonBody } from './read-body.ts';

/** The body of an upload's first step, or of an update. */
export interface RecordBody {
  readonly filename?: string;
  /** In bytes. */
  readonly size?: number;
  /** The ID as given. */
  readonly folder?: string;
  /** `null` resets it to the file name. */
  readonly name?: string | null;
  /** `null` removes a field. */
  readonly metadata: Metadata;
}

const text = z.string().max(10_000);
/** A file name that is valid on every file system, because downloads may be saved with it. */
const fileName = z
  .string()
  .regex(/^[^/\\\p{Cc}]+$/u, 'expected a name without slashes and control characters')
  .refine((name) => Buffer.byteLength(name) <= 255, 'expected at most 255 bytes')
  .refine((name) => name.isWellFormed() && !/^\.{1,2}$/.test(name), 'expected a file name');

const wholeNumber = z.union([z.int(), z.string().regex(/^(0|-?[1-9]\d{0,15})$/)]);

/**
 * Unknown fields become metadata.
 *
 * @param settings.fields of the library, separated by commas; `''` for any
 */
export function parseRecordBody(
  { body, contentType }: { body: Uint8Array; contentType: string },
  settings: Pick<EmulatorSettings, 'fields'>,
): RecordBody {
  const value = parseJsonBody(body, contentType);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('json-invalid', "The body isn't a JSON object.");
  const { filename, size, folder, name, ...metadata } = value as Record<string, unknown>;

  const fixed = Object.keys(metadata).filter((field) => recordFields.includes(field));
  if (fixed.length > 0) throw invalid([`${fixed.join(', ')}: can't be set`]);
  const known = declaredFields(settings);
  const unknown = Object.keys(metadata).filter((field) => known && !known.includes(field));
  if (unknown.length > 0) throw invalid([`${unknown.join(', ')}: unknown field`]);
  const read = z
    .object({
      filename: fileName,
      name: text.min(1).nullable(),
      size: wholeNumber
        .transform(Number)
        .refine((size) => size >= 0, 'expected 0 or more')
        .refine(Number.isSafeInteger, 'expected a safe integer'),
      folder: wholeNumber.transform(String),
      metadata: metadataSchema,
    })
    .partial()
    .safeParse(dropMissing({ filename, name, size, folder, metadata }));
  if (!read.success)
    throw invalid(read.error.issues.map(({ path, message }) => `${shownPath(path)}: ${message}`));
  return {
    ...(dropMissing(read.data) as Omit<RecordBody, 'metadata'>),
    metadata: read.data.metadata ?? {},
  };
}

function dropMissing(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

function shownPath([first = '', ...rest]: readonly PropertyKey[]): string {
  return first === 'metadata' ? rest.join('.').slice(0, 80) : String(first);
}

function invalid(problems: readonly string[]): HttpError {
  return badRequest('record-invalid', `Invalid record: ${problems.join('; ').slice(0, 2000)}.`);
}
