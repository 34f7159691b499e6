import { mediaAssetError } from '../../errors/errors.ts';
import type { GuardedKind } from '../formats/detect-file-type.ts';
import type { FileSource } from '../formats/source.ts';

export interface FileRules {
  /** Of one file. @default that of a download */
  readonly maxBytes?: number | undefined;
  /** What is published although a browser would run it, or although it is a picture. @default [] */
  readonly allow?: readonly GuardedKind[] | undefined;
}

const descriptions: Readonly<Record<Exclude<GuardedKind, 'picture'>, string>> = {
  html: 'an HTML page',
  svg: 'an SVG drawing',
  xml: 'XML',
  script: 'a script',
};

/** @throws `file-guarded` or `file-is-picture`, naming the page */
export function assertPublishable(
  { reference: { id }, guarded }: Pick<FileSource, 'reference' | 'guarded'>,
  { page, files = {} }: { page: string; files: FileRules | undefined },
): void {
  const refused = guarded.find(({ kind }) => !files.allow?.includes(kind));
  if (!refused) return;
  const { kind, by } = refused;
  if (kind === 'picture') throw mediaAssetError('file-is-picture', { id, page });
  throw mediaAssetError('file-guarded', { id, page, what: descriptions[kind], by });
}

/** @throws `file-too-large` */
export function assertFileSize({
  what,
  size,
  maxBytes,
}: {
  /** As messages name it. */
  what: string;
  /** In bytes. */
  size: number;
  maxBytes: FileRules['maxBytes'];
}): void {
  if (maxBytes === undefined || size <= maxBytes) return;
  throw mediaAssetError('file-too-large', { what, limit: maxBytes });
}
