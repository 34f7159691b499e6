import { z } from 'zod';
import type { Metadata } from './asset.ts';
import { parseFileName } from './file-name.ts';
import { recordFields } from './file-record.ts';
import { Refusal } from './refusal.ts';

/** What the body of an upload's first step, or of an update, says of a file. */
export interface RecordBody {
  readonly filename?: string;
  /** In bytes. */
  readonly size?: number;
  /** The id as it was given. */
  readonly folder?: string;
  /** Null: as the file name says. */
  readonly name?: string | null;
  /** Null: to be taken away. */
  readonly metadata: Metadata;
}

const text = z.string().max(10_000);
const metadataSchema = z
  .record(
    z.string().regex(/^[A-Za-z_][\w.-]{0,63}$/, 'expected a name of letters, digits, _, . and -'),
    z.union([text, z.number(), z.boolean(), z.null(), z.array(text).max(1000)]),
  )
  .refine((metadata) => Object.keys(metadata).length <= 100, 'expected at most 100 fields');

const wholeNumber = z.union([z.int().min(0), z.string().regex(/^(0|[1-9]\d{0,15})$/)]);

/**
 * Reads what a body says of a file. What is no field of the record's own is metadata.
 *
 * @param names Names of file name, size and folder, with commas between them.
 * @throws Refusal 400, 415 for a body that isn't declared as JSON.
 */
export function parseRecordBody(
  { body, contentType }: { body: Uint8Array; contentType: string },
  names: string,
): RecordBody {
  if (contentType.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json')
    throw new Refusal(415, 'content-type-unsupported', 'The body must be application/json.');
  const value = parseObject(body);
  const [filenameField = '', sizeField = '', folderField = ''] = names.split(',');
  const { [filenameField]: filename, [sizeField]: size, [folderField]: folder, ...rest } = value;
  const { name, ...metadata } = rest;

  const fixed = Object.keys(metadata).filter((field) => recordFields.includes(field));
  if (fixed.length > 0) throw invalid([`${fixed.join(', ')}: can't be given`]);
  const read = z
    .object({
      name: text.min(1).nullable(),
      size: wholeNumber.transform(Number).refine(Number.isSafeInteger, 'is too large'),
      folder: wholeNumber.transform(String),
      metadata: metadataSchema,
    })
    .partial()
    .safeParse(dropMissing({ name, size, folder, metadata }));
  if (!read.success)
    throw invalid(
      read.error.issues.map(
        ({ path, message }) => `${shownPath(path, { sizeField, folderField })}: ${message}`,
      ),
    );
  return {
    ...(dropMissing(read.data) as Omit<RecordBody, 'filename' | 'metadata'>),
    ...(filename !== undefined && { filename: parseFileName(filename, filenameField) }),
    metadata: read.data.metadata ?? {},
  };
}

function parseObject(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ...value } as Record<string, unknown>;
  } catch {
    throw new Refusal(400, 'json-invalid', 'The body is not JSON in UTF-8.');
  }
  throw new Refusal(400, 'json-invalid', 'The body is no JSON object.');
}

function dropMissing(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

function shownPath(
  path: readonly PropertyKey[],
  { sizeField, folderField }: { sizeField: string; folderField: string },
): string {
  const [first, ...rest] = path.map(String);
  if (first === 'metadata') return rest.join('.').slice(0, 80);
  return first === 'size' ? sizeField : first === 'folder' ? folderField : String(first);
}

function invalid(problems: readonly string[]): Refusal {
  return new Refusal(
    400,
    'record-invalid',
    `The record is not valid: ${problems.join('; ').slice(0, 2000)}.`,
  );
}
