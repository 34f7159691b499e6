import { extname } from 'node:path';
import type { FileRecord } from '../service/media-service.ts';

/** What is shown of a file; undefined where the service does not say it. */
export interface FileFacts {
  readonly id: number;
  readonly name: string | undefined;
  readonly filename: string | undefined;
  /** As the service calls it, such as `image/jpeg`; else the ending of the file name. */
  readonly kind: string | undefined;
  /** In bytes. */
  readonly size: number | undefined;
  /** In pixels. */
  readonly width: number | undefined;
  /** In pixels. */
  readonly height: number | undefined;
}

/** The fields that are asked for. The interface names the first three; the others are a guess. */
export const factFields = ['id', 'name', 'filename', 'type', 'size', 'width', 'height'] as const;

/** Reads a record whose further fields the interface does not show. */
export function fileFacts({ id, name, filename, fields }: FileRecord): FileFacts {
  const named = new Map(
    Object.entries(fields).map(([key, value]) => [key.toLowerCase().replace(/[_-]/g, ''), value]),
  );
  const text = (...names: string[]) =>
    names
      .map((key) => named.get(key))
      .find((value): value is string => typeof value === 'string' && value !== '');
  const number = (...names: string[]) =>
    names.map((key) => toCount(named.get(key))).find((value) => value !== undefined);
  const ending = extname(filename ?? name ?? '').slice(1);
  return {
    id,
    name,
    filename,
    kind: text('type', 'mimetype', 'contenttype', 'kind') ?? (ending.toLowerCase() || undefined),
    size: number('size', 'filesize', 'bytes'),
    width: number('width', 'pixelwidth', 'imagewidth'),
    height: number('height', 'pixelheight', 'imageheight'),
  };
}

function toCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}
