import { z } from 'zod';
import { guardedKinds } from '../formats/detect-file-type.ts';
import { imageKinds } from '../formats/sniff-bytes.ts';
import type { CachedSource } from '../formats/source.ts';

/** Increased when a record has other facts, or the rules that detect them change. */
const recordVersion = 1;

const pixels = z.int().min(1);

/** SHA-256, in hexadecimal. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

const asset = { service: z.string(), id: z.int() };

export const imageReferenceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('original'), ...asset }),
  z.object({
    kind: z.literal('custom-format'),
    ...asset,
    original: hashSchema,
    parameters: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
]);

export const fileReferenceSchema = z.object({ kind: z.literal('file'), ...asset });

/** The kinds in `FileSource.guarded`. */
export const guardedSchema = z.array(
  z.object({ kind: z.enum(guardedKinds), by: z.enum(['bytes', 'name', 'declared type']) }),
);

const bytes = {
  version: z.literal(recordVersion),
  hash: hashSchema,
  size: z.int().min(0),
  title: z.string().optional(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  fetchedAt: z.number(),
};

const recordSchema = z.discriminatedUnion('kind', [
  z.object({
    ...bytes,
    reference: imageReferenceSchema,
    kind: z.enum(imageKinds),
    width: pixels,
    height: pixels,
    turned: z.boolean(),
    animated: z.boolean(),
    transparent: z.boolean(),
  }),
  z.object({
    ...bytes,
    reference: fileReferenceSchema,
    kind: z.literal('file'),
    extension: z.string(),
    contentType: z.string(),
    guarded: guardedSchema,
    picture: z.object({ width: pixels, height: pixels }).optional(),
  }),
]);

export function formatStoredSource(source: CachedSource): string {
  return JSON.stringify({ version: recordVersion, ...source });
}

/** Reads a record; `undefined` if it's damaged, or another version has written it. */
export function parseStoredSource(text: string): CachedSource | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = recordSchema.safeParse(value);
  if (!read.success) return undefined;
  const { version: _, ...source } = read.data;
  return source;
}
