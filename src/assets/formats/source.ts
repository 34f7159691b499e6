import type { CustomFormatParameters } from '../../service/types.ts';
import type { FileType } from './detect-file-type.ts';
import type { ImageKind } from './sniff-bytes.ts';

export interface OriginalReference {
  readonly kind: 'original';
  /** The base URL of the service. */
  readonly service: string;
  readonly id: number;
}

/** A crop that the service cuts, named by its custom format's query. */
export interface CropReference {
  readonly kind: 'custom-format';
  readonly service: string;
  readonly id: number;
  /** The hash of the original that the crop was cut from. Another original makes it another crop. */
  readonly original: string;
  /** In the order in which they're sent. */
  readonly parameters: CustomFormatParameters;
}

export type ImageReference = OriginalReference | CropReference;

/** An original of any kind that is published unchanged. */
export interface FileReference {
  readonly kind: 'file';
  readonly service: string;
  readonly id: number;
}

export type SourceReference = ImageReference | FileReference;

interface CachedBytes {
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
  /** The readable name of the file in the service; `undefined` if it has none, or for a crop. */
  readonly title?: string | undefined;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
}

/** A cached image that renditions are made from. */
export interface Source extends CachedBytes {
  readonly reference: ImageReference;
  readonly kind: ImageKind;
  /** As displayed (after EXIF orientation), in pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether the EXIF orientation rotates or mirrors the stored pixels. */
  readonly turned: boolean;
  readonly animated: boolean;
  /** Whether the image can have transparent parts. */
  readonly transparent: boolean;
}

/** A cached file that is published unchanged. */
export interface FileSource extends CachedBytes, FileType {
  readonly reference: FileReference;
  readonly kind: 'file';
  /** The size of a video in pixels, if its file contains it. */
  readonly picture?: Pick<Source, 'width' | 'height'> | undefined;
}

export type CachedSource = Source | FileSource;

/** The facts of an image before it's in the cache. */
export type ImageFacts = Omit<Source, 'reference' | 'hash' | 'size'>;
/** The facts of a file before it's in the cache. */
export type FileFacts = Omit<FileSource, 'reference' | 'hash' | 'size'>;

export function originalOf(service: string, id: number): OriginalReference {
  return { kind: 'original', service, id };
}

export function fileOf(service: string, id: number): FileReference {
  return { kind: 'file', service, id };
}

/** The same text for two references to one source. */
export function sourceKey(reference: SourceReference): string {
  const { kind, service, id } = reference;
  if (kind !== 'custom-format') return `${kind}|${service}|${id}`;
  return `${kind}|${service}|${id}|${reference.original}|${queryOf(reference)}`;
}

export function queryOf({ parameters }: CropReference): string {
  const entries = Object.entries(parameters).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return String(new URLSearchParams(entries));
}

/** The version of its asset that a source belongs to: the original's hash. */
export function assetVersion({
  reference,
  hash,
}: {
  readonly reference: SourceReference;
  readonly hash: string;
}): string {
  return reference.kind === 'custom-format' ? reference.original : hash;
}

export function describeSource({ kind, id }: SourceReference): string {
  return kind === 'custom-format' ? `a crop of asset ${id}` : `asset ${id}`;
}
