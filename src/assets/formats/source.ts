import type { CustomFormatParameters } from '../../service/types.ts';
import type { FileType } from './detect-file-type.ts';
import type { PictureKind } from './sniff-bytes.ts';

export interface OriginalReference {
  readonly kind: 'original';
  /** The base URL of the service. */
  readonly service: string;
  readonly id: number;
}

/** A crop that the service cuts: a custom format by its query. */
export interface CropReference {
  readonly kind: 'custom-format';
  readonly service: string;
  readonly id: number;
  /** The hash of the original that it was cut from: of another original it's another crop. */
  readonly original: string;
  /** In the order in which they are sent. */
  readonly parameters: CustomFormatParameters;
}

export type PictureReference = OriginalReference | CropReference;

/** An original of any kind, to be published as it is. */
export interface FileReference {
  readonly kind: 'file';
  readonly service: string;
  readonly id: number;
}

export type SourceReference = PictureReference | FileReference;

interface CachedBytes {
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
}

/** A picture in the cache that renditions are made from. */
export interface Source extends CachedBytes {
  readonly reference: PictureReference;
  readonly kind: PictureKind;
  /** As displayed (after EXIF orientation), in pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether its EXIF orientation says that it is not stored as it is displayed. */
  readonly turned: boolean;
  readonly animated: boolean;
  /** Whether it can have transparent parts. */
  readonly transparent: boolean;
}

/** A file in the cache that is published as it is. */
export interface FileSource extends CachedBytes, FileType {
  readonly reference: FileReference;
  readonly kind: 'file';
  /** What the service calls it, fit for people; `undefined` where it says nothing. */
  readonly title?: string | undefined;
  /** Of a video's picture, in pixels, where its file says it. */
  readonly picture?: Pick<Source, 'width' | 'height'> | undefined;
}

export type CachedSource = Source | FileSource;

/** What is known of a picture before it's in the cache. */
export type PictureFacts = Omit<Source, 'reference' | 'hash' | 'size'>;
/** What is known of a file before it's in the cache. */
export type FileFacts = Omit<FileSource, 'reference' | 'hash' | 'size'>;

export function originalOf(service: string, id: number): OriginalReference {
  return { kind: 'original', service, id };
}

export function fileOf(service: string, id: number): FileReference {
  return { kind: 'file', service, id };
}

/** A text that is the same for two references to one source. */
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

/** Which version of its asset a source belongs to: the hash of the original. */
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
