import * as z from 'zod';
import { count, functionOf, oneOf, text } from './option-values.ts';

/** An asset's fields as the service answers them, by name. Services decide about their types. */
// biome-ignore lint/suspicious/noExplicitAny: the site knows the types of its own service's fields
export type RecordFields = Readonly<Record<string, any>>;

/** Texts and focus from a record. Empty strings and `null` count as missing. */
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
}

/** Whether a site may show an asset. */
export interface ReadRights {
  /** An empty value means `unknown`. Without the key, the asset is allowed until `until`. */
  state?: 'allowed' | 'forbidden' | 'unknown' | null | undefined;
  /** The last day on which the asset may be shown, in UTC: `2026-12-31`, an ISO time, or a `Date`. */
  until?: string | Date | null | undefined;
}

/** Reads a record. `locale` is the language of the page, or of the element's texts. */
type ToText = (
  fields: RecordFields,
  context: { readonly locale: string | undefined },
) => ReadRecord;

/**
 * Reads rights. It's called only if all its fields are known. `language` is the page's, or `''` on a
 * site without languages.
 */
type RightsRead = (fields: RecordFields, context: { readonly language: string }) => ReadRights;

const listError = { error: 'expected a list of 1 to 99 field names' };
const fieldNames = z.array(text, listError).min(1, listError).max(99, listError);

export const recordSchema = z.strictObject(
  {
    /** The names of the service's fields that `read` uses. */
    fields: fieldNames,
    /**
     * The service's locales by language, such as `{ sv: 'sv_SE' }`. Texts in these languages come from one
     * more request per asset and language. Rights don't.
     */
    locales: z.record(text, text, { error: "expected { language: 'locale' }" }).optional(),
    /** Reads alt text, credit and focus from the fields. */
    read: functionOf<ToText>('expected a function: (fields, { locale }) => ({ alt: … })'),
  },
  { error: 'expected { fields: […], read: (fields) => ({ … }) }' },
);

export const rightsSchema = z.strictObject({
  /**
   * The names of the service's fields that decide whether the site may show an asset. Without them, it
   * may show all.
   */
  fields: fieldNames.optional(),
  /** Reads rights from these fields. */
  read: functionOf<RightsRead>(
    'expected a function: (fields, { language }) => ({ state: …, until: … })',
  ).optional(),
  /**
   * Those of the fields without which an asset has no limit, such as the end of a license. All others
   * are unknown until an asset has one. @default []
   */
  optional: z.array(text, { error: 'expected a list of field names' }).default([]),
  /**
   * For pages with a forbidden asset, a build fails (`'fail'`), leaves the asset out (`'hide'`), or
   * warns (`'warn'`).
   * @default 'fail' in builds, 'warn' in dev
   */
  forbidden: oneOf(['fail', 'hide', 'warn']).optional(),
  /**
   * Assets whose rights are unknown are forbidden (`'forbid'`), shown with a warning (`'warn'`), or shown
   * (`'allow'`). Rights are unknown if `read` says so, and if the service gives no record or lacks a field.
   * @default 'forbid'
   */
  unknown: oneOf(['allow', 'warn', 'forbid']).default('forbid'),
  /** Days before the end of an asset's rights at which builds start to warn. @default 30 */
  warnDays: count(0, 3650).default(30),
});
