import type { CustomFormatParameters } from '../service/media-service.ts';

/** Where bytes come from: an original, or a custom format by its query. */
export type SourceReference =
  | { readonly kind: 'original'; readonly service: string; readonly id: number }
  | {
      readonly kind: 'custom-format';
      /** The base URL of the service. */
      readonly service: string;
      readonly id: number;
      /** In the order in which they are sent. */
      readonly parameters: CustomFormatParameters;
    };

/** The kinds of picture that renditions are made from. */
export const pictureKinds = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const;
export type PictureKind = (typeof pictureKinds)[number];

/** A source in the cache. */
export interface Source {
  readonly reference: SourceReference;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
  readonly kind: PictureKind;
  /** As displayed (after EXIF orientation), in pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether its EXIF orientation says that it is not stored as it is displayed. */
  readonly turned: boolean;
  /** Whether it has several frames. */
  readonly animated: boolean;
  /** Whether it can have transparent parts. */
  readonly transparent: boolean;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
}

/** The key of a source in the cache. */
export function sourceKey(reference: SourceReference): string {
  const { kind, service, id } = reference;
  if (kind === 'original') return `${kind}|${service}|${id}`;
  const query = Object.entries(reference.parameters).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return `${kind}|${service}|${id}|${new URLSearchParams(query)}`;
}

/** Whether a key of the cache is that of a source of this asset. */
export function isSourceKeyOf(key: string, service: string, id: number): boolean {
  return key === `original|${service}|${id}` || key.startsWith(`custom-format|${service}|${id}|`);
}

/** As messages name it. */
export function describeSource({ kind, id }: SourceReference): string {
  return kind === 'original' ? `asset ${id}` : `a crop of asset ${id}`;
}

/** Cheapest to check first: with validators no bytes travel, without them few. */
export function bySourceCost(one: Source, other: Source): number {
  return Number(hasValidators(other)) - Number(hasValidators(one)) || one.size - other.size;
}

function hasValidators({ etag, lastModified }: Source): boolean {
  return etag !== undefined || lastModified !== undefined;
}
