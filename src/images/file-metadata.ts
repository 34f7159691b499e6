import { z } from 'zod';
import { guardedKinds } from './judge-file.ts';
import type { FileSource } from './source.ts';

/** What is known of a file before it is in the cache. */
export type FileFacts = Omit<FileSource, 'reference' | 'hash' | 'size'>;

/** Goes up when `judgeFile` judges otherwise: what it found is kept with the file. */
const formatVersion = 1;

const sizeSchema = z.object({ width: z.int().min(1), height: z.int().min(1) });

/** What `judgeFile` says of guarded kinds, as it is kept. */
export const guardedSchema = z.array(
  z.object({ kind: z.enum(guardedKinds), by: z.enum(['bytes', 'name', 'declared type']) }),
);

const metadataSchema = z.object({
  fileVersion: z.literal(formatVersion),
  kind: z.literal('file'),
  extension: z.string(),
  contentType: z.string(),
  guarded: guardedSchema,
  title: z.string().nullable(),
  picture: sizeSchema.nullable(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  fetchedAt: z.number(),
});

/** A file's facts as they stand in the index of the cache. */
export function writeFileMetadata(facts: FileFacts): z.input<typeof metadataSchema> {
  return {
    fileVersion: formatVersion,
    ...facts,
    guarded: [...facts.guarded],
    title: facts.title ?? null,
    picture: facts.picture ?? null,
    etag: facts.etag ?? null,
    lastModified: facts.lastModified ?? null,
  };
}

/** `undefined` for what another version has written. */
export function readFileMetadata(metadata: unknown): FileFacts | undefined {
  const read = metadataSchema.safeParse(metadata);
  if (!read.success) return undefined;
  const { fileVersion: _, title, picture, etag, lastModified, ...facts } = read.data;
  return {
    ...facts,
    title: title ?? undefined,
    picture: picture ?? undefined,
    etag: etag ?? undefined,
    lastModified: lastModified ?? undefined,
  };
}
