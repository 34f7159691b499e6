import { createHash } from 'node:crypto';
import { z } from 'zod';
import { gamuts, outputFormats } from '../formats/rendition.ts';
import {
  fileReferenceSchema,
  guardedSchema,
  hashSchema,
  imageReferenceSchema,
} from './stored-source.ts';

const wholeNumber = z.int().min(0);
const positive = z.int().min(1);
const shown = {
  source: z.object({ reference: imageReferenceSchema, hash: hashSchema }),
  rectangle: z.object({ x: wholeNumber, y: wholeNumber, width: positive, height: positive }),
  /** The service's download URL of the crop; null for a whole image. */
  customFormatUrl: z.string().nullable(),
  originalUrl: z.string(),
  /** In milliseconds since the epoch. */
  lastUsed: z.number(),
};

const renditionSchema = z.object({
  ...shown,
  /** Below the assets folder, with the last name. */
  path: z.string(),
  /** The position of the source's first pixel in the original. */
  corner: z.object({ x: wholeNumber, y: wholeNumber }),
  width: positive,
  height: positive,
  recipe: z.object({
    format: z.enum(outputFormats),
    quality: z
      .number()
      .nullable()
      .transform((quality) => quality ?? undefined),
    effort: z.number().optional(),
    animated: z.boolean(),
    gamut: z.enum(gamuts),
    background: z.string().optional(),
    credit: z
      .object({
        creators: z.array(z.string()).readonly().optional(),
        credit: z.string().optional(),
        copyright: z.string().optional(),
        license: z.string().optional(),
        acquireLicense: z.string().optional(),
      })
      .optional(),
  }),
});

const linkSchema = z.object(shown);

const fileSchema = z.object({
  source: z.object({ reference: fileReferenceSchema, hash: hashSchema }),
  /** Below the assets folder; null if pages contain the service's own URL. */
  path: z.string().nullable(),
  contentType: z.string(),
  /** In bytes. */
  size: positive,
  guarded: guardedSchema,
  originalUrl: z.string(),
  /** In milliseconds since the epoch. */
  lastUsed: z.number(),
});

const recordSchema = z.object({
  /** As the service answered them; null if it doesn't list the asset. */
  fields: z.record(z.string(), z.unknown()).nullable(),
  /** The requested fields, separated by commas. */
  asked: z.string(),
  /** The folder whose list has the asset, if it's known. */
  folder: z.int().nullable(),
  /** In milliseconds since the epoch. */
  checkedAt: z.number(),
  /** Digests of what pages depend on, by the languages that they ask for. */
  outcomes: z.record(z.string(), z.string()).default({}),
});

/** The version of the format on disk. */
export const catalogueVersion = 3;

/** The content of `catalogue.json`. */
export const catalogueSchema = z.object({
  version: z.literal(catalogueVersion),
  /** Changes when pages were rendered with a version that the service no longer has. */
  epoch: z.string(),
  /** A digest of the last changes that renewed the epoch. */
  changes: z.string(),
  /** When the last build started, in milliseconds since the epoch. */
  lastBuild: z.number(),
  /** When each asset was last checked with the service, by `<service>|<id>`. */
  checks: z.record(z.string(), z.number()),
  /** By rendition key. */
  renditions: z.record(z.string(), renditionSchema),
  /** The service's own URLs that pages contain. */
  links: z.record(z.string(), linkSchema),
  /** Files that are published unchanged, by rendition key, or by the service's own URL. */
  files: z.record(z.string(), fileSchema).default({}),
  /** What the service says about each asset, by `<service>|<id>`. */
  records: z.record(z.string(), recordSchema).default({}),
});

export type CatalogueData = z.output<typeof catalogueSchema>;
export type CataloguedRendition = CatalogueData['renditions'][string];
/** A catalogue entry of the service's own URL in pages. */
export type CataloguedLink = CatalogueData['links'][string];

export type CataloguedFile = CatalogueData['files'][string];
export type CataloguedRecord = CatalogueData['records'][string];
export type CataloguedEntry = CataloguedRendition | CataloguedLink | CataloguedFile;

/** An empty catalogue. It has a new epoch, so that pages of an earlier one aren't reused. */
export function emptyCatalogue(now: number): CatalogueData {
  return {
    version: catalogueVersion,
    epoch: digest(['begun', now]),
    changes: '',
    lastBuild: 0,
    checks: {},
    renditions: {},
    links: {},
    files: {},
    records: {},
  };
}

export function formatCatalogue(data: CatalogueData): string {
  const text = JSON.stringify(
    data,
    (key, value) => (key === 'recipe' ? { ...value, quality: value.quality ?? null } : value),
    1,
  );
  return `${text}\n`;
}

/** The entries for everything that pages name, by rendition key or URL. */
export function entriesOf({
  renditions,
  links,
  files,
}: Pick<CatalogueData, 'renditions' | 'links' | 'files'>): [string, CataloguedEntry][] {
  return [renditions, links, files].flatMap((kind) => Object.entries(kind));
}

export function checkKey(service: string, id: number): string {
  return `${service}|${id}`;
}

export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
