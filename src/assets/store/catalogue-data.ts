import { createHash } from 'node:crypto';
import { z } from 'zod';
import { gamuts, outputFormats } from '../formats/rendition.ts';
import {
  fileReferenceSchema,
  guardedSchema,
  hashSchema,
  pictureReferenceSchema,
} from './stored-source.ts';

const wholeNumber = z.int().min(0);
const positive = z.int().min(1);
const shown = {
  source: z.object({ reference: pictureReferenceSchema, hash: hashSchema }),
  rectangle: z.object({ x: wholeNumber, y: wholeNumber, width: positive, height: positive }),
  /** The service's download address of the crop; null for a whole picture. */
  customFormatUrl: z.string().nullable(),
  originalUrl: z.string(),
  /** Milliseconds since the epoch. */
  lastUsed: z.number(),
};

const renditionSchema = z.object({
  ...shown,
  /** Below the assets folder, with the name that was given last. */
  path: z.string(),
  /** Where the first pixel of the source lies in the original. */
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
    sanitizer: z.string().optional(),
  }),
});

const linkSchema = z.object(shown);

const fileSchema = z.object({
  source: z.object({ reference: fileReferenceSchema, hash: hashSchema }),
  /** Below the assets folder; null where pages carry the service's own address. */
  path: z.string().nullable(),
  contentType: z.string(),
  /** In bytes. */
  size: positive,
  guarded: guardedSchema,
  originalUrl: z.string(),
  /** Milliseconds since the epoch. */
  lastUsed: z.number(),
});

/** Of the format on disk. */
export const catalogueVersion = 3;

/** The catalogue as it lies on disk, `catalogue.json`. */
export const catalogueSchema = z.object({
  version: z.literal(catalogueVersion),
  /** Changes when a version that pages were rendered with is no longer the service's. */
  epoch: z.string(),
  /** The changes that the epoch has taken in last. */
  changes: z.string(),
  /** When the last build began; milliseconds since the epoch. */
  lastBuild: z.number(),
  /** When each asset was last checked with the service, by `<service>|<id>`. */
  checks: z.record(z.string(), z.number()),
  /** By rendition key. */
  renditions: z.record(z.string(), renditionSchema),
  /** Addresses of the service that pages carry themselves, by URL. */
  links: z.record(z.string(), linkSchema),
  /** Files that are published as they are, by rendition key, or by URL where the service delivers. */
  files: z.record(z.string(), fileSchema).default({}),
});

export type CatalogueData = z.output<typeof catalogueSchema>;
export type CataloguedRendition = CatalogueData['renditions'][string];
/** What the catalogue knows of an address of the service that pages carry. */
export type CataloguedLink = CatalogueData['links'][string];

export type CataloguedFile = CatalogueData['files'][string];
export type CataloguedEntry = CataloguedRendition | CataloguedLink | CataloguedFile;

/** A catalogue without entries. Its epoch is its own, so that pages of an earlier one are not reused. */
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

export function checkKey(service: string, id: number): string {
  return `${service}|${id}`;
}

export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
