import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { errorCode } from '../../storage/error-code.ts';
import {
  type CatalogueData,
  type CataloguedLink,
  type CataloguedRendition,
  catalogueSchema,
  catalogueVersion,
  checkKey,
} from './catalogue-data.ts';

/** One entry of the catalogue, as `media-asset renditions --json` prints it. */
export interface CatalogueItem {
  readonly id: number;
  /** The file's path below the assets folder; `null` if pages contain the service's own URL. */
  readonly path: string | null;
  /** The service's own URL if pages contain it; `null` for a rendition. */
  readonly url: string | null;
  readonly customFormatUrl: string | null;
  readonly originalUrl: string;
  readonly source: 'original' | 'custom-format' | 'file';
  /** SHA-256 of the source's bytes, in hexadecimal. */
  readonly sourceHash: string;
  /** The visible rectangle of the original in pixels; `null` for a file that is published unchanged. */
  readonly rectangle: { x: number; y: number; width: number; height: number } | null;
  /** In pixels; `null` for a file. */
  readonly width: number | null;
  readonly height: number | null;
  /** For a file, its content type. */
  readonly format: string | null;
  readonly quality: number | null;
  /** The encoder's effort, if the format has one. */
  readonly effort: number | null;
  /** ISO 8601, UTC. */
  readonly lastUsed: string;
}

export function cataloguePath(cacheDir: string): string {
  return join(cacheDir, 'catalogue.json');
}

/** Reads the catalogue of a cache folder; empty if there is none yet. @throws `catalogue-broken` */
export function readCatalogue(cacheDir: string): CatalogueItem[] {
  const data = readCatalogueData(cacheDir);
  return data ? catalogueItems(data) : [];
}

/** The service that assets were last checked with; `undefined` if the catalogue doesn't know it. */
export function lastService(cacheDir: string): string | undefined {
  try {
    const checks = Object.entries(readCatalogueData(cacheDir)?.checks ?? {});
    const [newest] = checks.sort(([, one], [, other]) => other - one);
    return newest?.[0].replace(/\|-?\d+$/, '');
  } catch {
    // Opening the catalogue reports what is wrong with it.
    return undefined;
  }
}

/** The folders of assets in the service, as far as builds know them. @throws `catalogue-broken` */
export function knownFolders(cacheDir: string, service: string): Map<number, number> {
  const records = Object.entries(readCatalogueData(cacheDir)?.records ?? {});
  return new Map(
    records.flatMap(([key, { folder }]) => {
      const id = Number(key.slice(service.length + 1));
      return key === checkKey(service, id) && folder !== null ? [[id, folder]] : [];
    }),
  );
}

/** Reads the catalogue file; `undefined` if there is none yet. @throws `catalogue-broken` */
export function readCatalogueData(cacheDir: string): CatalogueData | undefined {
  const path = cataloguePath(cacheDir);
  const broken = (problem: string, cause?: unknown) =>
    mediaAssetError('catalogue-broken', { path, problem }, { cause });
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    const isText = thrown instanceof SyntaxError;
    const problem = `the file system reports ${errorCode(thrown)}`;
    throw broken(isText ? "it isn't valid JSON" : problem, thrown);
  }
  const version = typeof value === 'object' && value !== null && Reflect.get(value, 'version');
  if (typeof version === 'number' && version !== catalogueVersion)
    throw broken(`it has version ${version}`);
  const parsed = catalogueSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.slice(0, 3).map(({ path }) => path.join('.') || 'top level');
  throw broken(`unexpected value at ${places.join(', ')}`, parsed.error);
}

/** The entries of a catalogue, by asset. */
function catalogueItems({ renditions, links, files }: CatalogueData): CatalogueItem[] {
  return [
    ...Object.values(renditions).map((rendition) => ({
      ...itemOf(rendition),
      path: rendition.path,
      url: null,
      width: rendition.width,
      height: rendition.height,
      format: rendition.recipe.format,
      quality: rendition.recipe.quality ?? null,
      effort: rendition.recipe.effort ?? null,
    })),
    ...Object.entries(links).map(([url, link]) => ({
      ...itemOf(link),
      path: null,
      url,
      width: link.rectangle.width,
      height: link.rectangle.height,
      format: null,
      quality: null,
      effort: null,
    })),
    ...Object.entries(files).map(([key, { path, source, originalUrl, contentType, lastUsed }]) => ({
      id: source.reference.id,
      path,
      url: path === null ? key : null,
      customFormatUrl: null,
      originalUrl,
      source: source.reference.kind,
      sourceHash: source.hash,
      rectangle: null,
      width: null,
      height: null,
      format: contentType,
      quality: null,
      effort: null,
      lastUsed: new Date(lastUsed).toISOString(),
    })),
  ].sort(
    (one, other) =>
      one.id - other.id || order(one.path ?? one.url ?? '', other.path ?? other.url ?? ''),
  );
}

function itemOf(entry: CataloguedRendition | CataloguedLink) {
  const { source, rectangle, customFormatUrl, originalUrl, lastUsed } = entry;
  return {
    id: source.reference.id,
    customFormatUrl,
    originalUrl,
    source: source.reference.kind,
    sourceHash: source.hash,
    rectangle,
    lastUsed: new Date(lastUsed).toISOString(),
  };
}

function order(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
