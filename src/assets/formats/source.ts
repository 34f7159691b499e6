import { z } from 'zod';
import { guardedSchema } from './detect-file-type.ts';
import { imageKinds } from './sniff-bytes.ts';

const id = z.int();

/** SHA-256, in hexadecimal. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

export const imageReferenceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('original'), id }),
  /** A crop that the service cuts, named by its custom format's query. */
  z.object({
    kind: z.literal('custom-format'),
    id,
    /** The hash of the original that the crop was cut from. Another original makes it another crop. */
    original: hashSchema,
    /** In the order in which they're sent. */
    parameters: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
]);

/** An original of any kind that is published unchanged. */
export const fileReferenceSchema = z.object({ kind: z.literal('file'), id });

export type ImageReference = z.output<typeof imageReferenceSchema>;
export type OriginalReference = Extract<ImageReference, { kind: 'original' }>;
export type CropReference = Extract<ImageReference, { kind: 'custom-format' }>;
export type FileReference = z.output<typeof fileReferenceSchema>;
export type SourceReference = ImageReference | FileReference;

const bytes = {
  hash: hashSchema,
  /** In bytes. */
  size: z.int().min(0),
  /** The readable name of the file in the service; `undefined` if it has none, or for a crop. */
  title: z.string().optional(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** Milliseconds since the epoch. */
  fetchedAt: z.number(),
};

const pixels = z.int().min(1);

export const imageSchema = z.object({
  ...bytes,
  reference: imageReferenceSchema,
  kind: z.enum(imageKinds),
  /** As displayed (after EXIF orientation), in pixels. */
  width: pixels,
  height: pixels,
  animated: z.boolean(),
  /** Whether it's animated, but of its frames only one is read. */
  isStill: z.boolean(),
  /** Whether the image can have transparent parts. */
  transparent: z.boolean(),
  /** The term of the digital source type in its metadata. */
  digitalSourceType: z.string().optional(),
});

const fileSchema = z.object({
  ...bytes,
  reference: fileReferenceSchema,
  kind: z.literal('file'),
  extension: z.string(),
  contentType: z.string(),
  guarded: guardedSchema,
  /** The size of a video in pixels, if its file contains it. */
  picture: z.object({ width: pixels, height: pixels }).optional(),
});

/** A source as the cache stores it. */
export const sourceSchema = z.discriminatedUnion('kind', [imageSchema, fileSchema]);

/** A cached image that renditions are made from. */
export type Source = Readonly<z.output<typeof imageSchema>>;
/** A cached file that is published unchanged. */
export type FileSource = Readonly<z.output<typeof fileSchema>>;
export type CachedSource = Source | FileSource;

/** The facts of a source before it's in the cache. */
export type ImageFacts = Omit<Source, 'reference' | 'hash' | 'size'>;
export type FileFacts = Omit<FileSource, 'reference' | 'hash' | 'size'>;

/** How pages use an asset: as an image, or as a file that is published unchanged. */
export type SourceKind = 'original' | 'file';

export function originalOf(id: number): OriginalReference {
  return { kind: 'original', id };
}

export function fileOf(id: number): FileReference {
  return { kind: 'file', id };
}

/** The same text for two references to one source. */
export function sourceKey(reference: SourceReference): string {
  const { kind, id } = reference;
  if (kind !== 'custom-format') return `${kind}|${id}`;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(reference.parameters)) query.append(name, `${value}`);
  return `${kind}|${id}|${reference.original}|${query}`;
}

/** The version of its asset that a source belongs to: the original's hash. */
export function assetVersion(source: Pick<CachedSource, 'reference' | 'hash'>): string {
  const { reference, hash } = source;
  return reference.kind === 'custom-format' ? reference.original : hash;
}

export function describeSource({ kind, id }: SourceReference): string {
  return kind === 'custom-format' ? `a crop of asset ${id}` : `asset ${id}`;
}
