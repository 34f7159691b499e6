import * as z from 'zod';
import { count, oneOf, text } from './option-values.ts';

/** An asset's fields as the service answers them, by name. Services decide about their types. */
// biome-ignore lint/suspicious/noExplicitAny: the site knows the types of its own service's fields
export type RecordFields = Readonly<Record<string, any>>;

/** What a site reads from a record. Empty strings and `null` count as missing. */
export interface ReadRecord {
  /** What the image shows. */
  alt?: string | null | undefined;
  /** The line that a page shows with the image. */
  credit?: string | null | undefined;
  creator?: string | readonly string[] | null | undefined;
  copyright?: string | null | undefined;
  /** The URL of the license. */
  license?: string | null | undefined;
  /** The URL of a page that sells or grants licenses. */
  acquireLicense?: string | null | undefined;
  /** The IPTC's digital source type, such as `trainedAlgorithmicMedia`, or its URI. */
  source?: string | null | undefined;
  /** What the image must keep: a point in fractions of the image, or `attention`. */
  focus?: { x: number; y: number } | 'attention' | null | undefined;
  /**
   * Whether the site may show the asset. If the key is there, an empty value means `unknown`. Without
   * the key, every asset is allowed until `until`.
   */
  rights?: 'allowed' | 'forbidden' | 'unknown' | null | undefined;
  /** The last day on which the asset may be shown, in UTC: `2026-12-31`, an ISO time, or a `Date`. */
  until?: string | Date | null | undefined;
}

/** Reads a record. `locale` is the language of the page, as in `Astro.currentLocale`. */
type Read = (fields: RecordFields, context: { readonly locale: string | undefined }) => ReadRecord;

const fieldNames = { error: 'expected a list of 1 to 99 field names' };

export const recordSchema = z.strictObject(
  {
    /** The names of the service's fields that `read` uses. */
    fields: z.array(text, fieldNames).min(1, fieldNames).max(99, fieldNames),
    /** Reads alt text, credit, focus and rights from the fields. */
    read: z.custom<Read>((value) => typeof value === 'function', {
      error: 'expected a function: (fields, { locale }) => ({ alt: … })',
    }),
  },
  { error: 'expected { fields: […], read: (fields) => ({ … }) }' },
);

export const rightsSchema = z.strictObject({
  /**
   * For pages with a forbidden asset, a build fails (`'fail'`), leaves the asset out (`'hide'`), or
   * warns (`'warn'`).
   * @default 'fail' in builds, 'warn' in dev
   */
  forbidden: oneOf(['fail', 'hide', 'warn']).optional(),
  /**
   * Assets whose rights are unknown are shown (`'allow'`), shown with a warning (`'warn'`), or
   * forbidden (`'forbid'`).
   * @default 'warn'
   */
  unknown: oneOf(['allow', 'warn', 'forbid']).default('warn'),
  /** Days before the end of an asset's rights at which builds start to warn. @default 30 */
  warnDays: count(0, 3650).default(30),
});
