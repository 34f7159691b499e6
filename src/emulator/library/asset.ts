import { join, posix, resolve } from 'node:path';
import { type Metadata, readSidecar } from './sidecars.ts';

export interface Asset {
  readonly id: number;
  readonly name: string;
  /** Display name. By default, the file name without its extension. */
  readonly title: string;
  /** Path of its folder in the media folder, with `/`. Empty at the top. */
  readonly folder: string;
  /** Folder and file name, with `/`. */
  readonly path: string;
  readonly file: string;
  readonly metadata: Metadata;
  readonly gone: boolean;
  /** Announced size in bytes if the upload's content is still missing. */
  readonly awaited: number | undefined;
}

/** Reads a file or folder ID in plain digits: any safe integer except 0. */
export function parseId(text: string): number | undefined {
  const id = /^-?[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

export function textsOf(asset: Asset): string[] {
  return [asset.title, asset.name, ...Object.values(asset.metadata).flat().map(String)];
}

/** The path of an upload in the database. No media file can have it. */
export function uploadKey(key: string): string {
  return `.upload/${key}`;
}

export const assetQuery = `
  SELECT asset.id, asset.path, asset.gone, asset.name, asset.filename, asset.metadata,
      folder.path AS folder, CASE upload.done WHEN 0 THEN upload.size END AS awaited
    FROM asset LEFT JOIN folder ON folder.id = asset.folder
      LEFT JOIN upload ON upload.asset = asset.id`;

/** Converts a database row. Both folders are real paths. What was set by an update wins. */
export function toAsset(
  row: Record<string, unknown>,
  folders: { media: string; data: string },
): Asset {
  const id = Number(row.id);
  const stored = String(row.path);
  const name = row.filename === null ? posix.basename(stored) : String(row.filename);
  const parent = posix.dirname(stored);
  const isUpload = stored.startsWith(uploadKey(''));
  // Uploads are stored by asset ID, so a name from a caller is never a path.
  const file = isUpload
    ? join(folders.data, 'uploads', String(id))
    : resolve(folders.media, stored);
  const given = isUpload ? {} : readSidecar(file);
  const metadata = { ...given, ...(JSON.parse(String(row.metadata)) as Metadata) };
  const folder = row.folder === null ? (parent === '.' ? '' : parent) : String(row.folder);
  return {
    id,
    name,
    title: row.name === null ? name.replace(/(?<=.)\.[^.]*$/, '') : String(row.name),
    folder,
    path: posix.join(folder, name),
    file,
    metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null)),
    gone: row.gone === 1,
    awaited: row.awaited === null ? undefined : Number(row.awaited),
  };
}

/** Whether each word of a search is in one of the texts, also inside a longer word and in another case. */
export function matchesSearch(search: string, texts: readonly string[]): boolean {
  const fold = (text: string) => text.normalize('NFKC').toLowerCase();
  const all = fold(texts.join('\n'));
  return fold(search)
    .split(/\s+/)
    .every((word) => all.includes(word));
}
