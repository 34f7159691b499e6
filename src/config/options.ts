import * as z from 'zod';
import { mediaAssetError } from '../errors/errors.ts';
import {
  count,
  days,
  type Group,
  isGroup,
  oneOf,
  redisUrl,
  text,
  toProblems,
} from './option-values.ts';
import { recordSchema, rightsSchema } from './record-option.ts';
import { keptService, serviceSchema, serviceVariables } from './service-settings.ts';

const labelTexts = { error: "expected { trainedAlgorithmicMedia: 'AI-generated', … }" };

const storeSchema = z.union([z.strictObject({ file: text }), z.strictObject({ redis: redisUrl })], {
  error: 'expected { file: … } or { redis: … }',
});

const when = oneOf(['production', 'deploy', 'always', 'never']);

const reportSchema = z.strictObject({
  /**
   * When a build reports: if it's a confirmed production build (`'production'`), after the deploy
   * by `media-asset report` (`'deploy'`), with every build (`'always'`), or not at all (`'never'`).
   * `report: 'deploy'` is short for it. From `MEDIA_ASSET_REPORT`.
   * @default 'production'
   */
  when: when.default('production'),
  /** The name of the project in the service. From `MEDIA_ASSET_PROJECT`. @default the site's host */
  project: text.optional(),
  /** The person responsible. From `MEDIA_ASSET_CONTACT`. @default the project */
  contact: text.optional(),
  /** Information about the usage. @default '' */
  description: z.string({ error: 'expected a string' }).default(''),
  /** Globs of page paths whose usages aren't reported, such as `/drafts/**`. @default [] */
  exclude: z.array(text, { error: 'expected a list of globs' }).default([]),
  /**
   * The branch whose builds are production builds. It overrides the default branch on GitHub and
   * GitLab. Vercel and Netlify don't need it.
   */
  productionBranch: text.optional(),
  /**
   * Whether a build or `media-asset report` warns (`'warn'`) or fails (`'fail'`) if usages stay
   * unsent or are refused.
   * @default 'warn'
   */
  onError: oneOf(['warn', 'fail']).default('warn'),
  /**
   * Days that usages may stay unsent or refused before a build or `media-asset report` fails.
   * @default 7
   */
  maxUnsent: days.default(7),
  /**
   * Where the ledger is kept between builds: `{ file: '<path>' }`, or `{ redis: 'redis://…' }` (needs
   * the package redis). From `MEDIA_ASSET_STATE_URL`: keep a URL with a password out of the config.
   * @default a file in `.media-asset`
   */
  store: storeSchema.optional(),
  /** IDs in one usage request. @default 100 */
  maxIdsPerRequest: count(1, 10_000).default(100),
});

const filesSchema = z.strictObject({
  /**
   * Kinds to publish: `html`, `svg`, `xml` and `script`, which browsers run with the rights of your own
   * pages, and `picture`, whose metadata can hold places and names.
   * @default []
   */
  allow: z
    .array(oneOf(['html', 'svg', 'xml', 'script', 'picture']), {
      error: 'expected a list of kinds',
    })
    .default([]),
});

/** Their names and values are checked with the table of props, which this room doesn't know. */
const imageProps = z.record(z.string(), z.unknown(), { error: 'expected { prop: value }' });

/**
 * The query of a custom format, in the order in which it's sent. `image` is the size of the original
 * as displayed, in pixels. Originals are fetched for this size only if the function reads it.
 */
type CustomFormat = (
  crop: { readonly [Side in 'x' | 'y' | 'width' | 'height']: number },
  image: { readonly width: number; readonly height: number },
) => Record<string, string | number>;

/** Of the option `sitemap`, below the output's folder. */
export const sitemapFile = 'sitemap-images.xml';

const optionsSchema = z.strictObject({
  /** The Media Asset Service and the credentials. Everything can come from the environment. */
  service: serviceSchema.prefault({}),
  /**
   * `static`: your site serves the images. `service`: pages contain the service's own download URLs,
   * for gateways that answer visitors without a token: look at a page once.
   * @default 'static'
   */
  delivery: oneOf(['static', 'service']).default('static'),
  /**
   * Who cuts crops: the service (with its custom format), or this machine from the original.
   * @default 'service' in builds, 'local' in dev
   */
  crops: oneOf(['service', 'local']).optional(),
  /**
   * The query of a crop's custom format. `size`: `x1`, `y1`, and the crop's size as `w` and `h`.
   * `corners`, for services that read `w` and `h` as the output size: also `x2` and `y2` (the first
   * pixels outside), and the original's size as `sw` and `sh`. Or your own function:
   * `(crop, image) => ({ … })`.
   * @default 'size'
   */
  customFormat: z
    .union(
      [z.enum(['size', 'corners']), z.custom<CustomFormat>((value) => typeof value === 'function')],
      { error: "expected 'size', 'corners' or a function" },
    )
    .default('size'),
  /**
   * SVG images, which can hold scripts. `refuse`: a page that shows one is an error. `trust`:
   * publishes them unchanged. Use it only if you trust everyone who can upload.
   * @default 'refuse'
   */
  svg: oneOf(['refuse', 'trust']).default('refuse'),
  /** If the service refuses an asset, a build fails (`'fail'`), or warns and leaves the asset out (`'warn'`). @default 'fail' */
  unavailable: oneOf(['fail', 'warn']).default('fail'),
  /**
   * If an asset with a crop on pages becomes another image, a build warns (`'warn'`) or fails (`'fail'`)
   * until someone has chosen the crop again, or accepted it. `'keep'` warns and publishes the old
   * image until then, from the cache or the live site. If it's in neither, the build fails.
   * @default 'warn'
   */
  changed: oneOf(['warn', 'fail', 'keep']).default('warn'),
  /**
   * Without credentials, a local, preview or pull request build shows cached images and placeholders
   * (`'placeholders'`), or fails (`'fail'`). Any other build always fails.
   * @default 'placeholders'
   */
  withoutCredentials: oneOf(['placeholders', 'fail']).default('placeholders'),
  /** Days that cached assets may be published while the service can't be reached. @default 7 */
  maxStale: days.default(7),
  /**
   * Whether a build without its cache takes images from the live site instead of making them.
   * @default true
   */
  reuse: z.boolean({ error: 'expected true or false' }).default(true),
  /** Defaults of images. */
  images: imageProps.default({}),
  /**
   * Props by name, for `preset="hero"`: `{ hero: { aspect: '2:1', widths: [640, 1280] } }`. Takes the
   * props of `<MediaAsset>` from `aspect` to `placeholder`, except `sources`.
   */
  presets: z.record(z.string(), imageProps, { error: 'expected { name: { … } }' }).default({}),
  /** Reads alt text, credit and focus from the service's fields. */
  record: recordSchema.optional(),
  /**
   * Texts for `<MediaCredit>` by the IPTC's digital source types, or by type and language:
   * `{ trainedAlgorithmicMedia: { en: 'AI-generated', de: 'KI-generiert' } }`.
   * @default no text
   */
  sourceLabels: z
    .record(z.string(), z.union([text, z.record(z.string(), text)], labelTexts), labelTexts)
    .optional(),
  /** Which assets may be shown, by the service's fields, and what happens to others. */
  rights: rightsSchema.prefault({}),
  /**
   * Writes `sitemap-images.xml`: the images of each page, for search engines. Needs `site`.
   * @default true
   */
  sitemap: z.boolean({ error: 'expected true or false' }).default(true),
  /**
   * Shortens the cache life of assets whose rights end, if a rule of the output's `_headers` makes it
   * longer than a day.
   * @default true
   */
  cacheRules: z.boolean({ error: 'expected true or false' }).default(true),
  /** The app in Astro's dev toolbar. @default true */
  toolbar: z.boolean({ error: 'expected true or false' }).default(true),
  /** Files that are published unchanged: `<MediaFile>`, `<MediaVideo>`. */
  files: filesSchema.prefault({}),
  /** When to report usages, or an object with all settings. @default 'production' */
  report: reportSchema.prefault({}),
});

/** The options that a build leaves for commands: how it reaches the service and reports. */
export const keptSettings = z
  .object({
    ...keptService.shape,
    ...reportSchema.pick({ maxIdsPerRequest: true, maxUnsent: true, onError: true }).shape,
    crops: optionsSchema.shape.crops,
    /** `own`: a function of the site's config. */
    customFormat: z.enum(['size', 'corners', 'own']),
  })
  .partial();

/** All options, from any source. */
export interface OptionsInput extends Omit<z.input<typeof optionsSchema>, 'report'> {
  report?: z.input<typeof when> | z.input<typeof reportSchema>;
}

/** The options with environment variables and defaults filled in. */
export type ResolvedOptions = z.output<typeof optionsSchema>;

/**
 * Fills in the options: environment variables first, then defaults. An empty string that a variable
 * can replace counts as unset, because CI passes empty secrets to pull requests from forks.
 *
 * @throws `options-invalid` with every problem: the option's dotted path (or its variable), what was
 * expected and what was received
 */
export function resolveOptions(input: unknown, environment: Environment): ResolvedOptions {
  const { merged, origins } = withEnvironment(input, environment);
  const result = optionsSchema.safeParse(merged);
  if (result.success) {
    const isLinked = result.data.changed === 'keep' && result.data.delivery === 'service';
    const { fields, read, optional } = result.data.rights;
    const given = isGroup(merged) && isGroup(merged.rights) ? merged.rights : {};
    const alone = fields ? [] : Object.keys(given).filter((key) => given[key] !== undefined);
    const others = optional.filter((name) => fields && !fields.includes(name));
    // It overrides the config.
    const asked = environment.MEDIA_ASSET_REPORT || 'never';
    const { error } = when.safeParse(asked);
    const problems = [
      ...(error?.issues ?? []).map(
        ({ message }) => `MEDIA_ASSET_REPORT: ${message}, received "${asked}"`,
      ),
      ...alone.map((key) => `rights.${key}: expected \`rights.fields\` with it`),
      ...others.map((name) => `rights.optional: expected names of \`rights.fields\`, not ${name}`),
      ...(isLinked ? ["changed: expected 'warn' or 'fail' with `delivery: 'service'`"] : []),
      ...(fields && !read ? ['rights.read: expected a function with `rights.fields`'] : []),
    ];
    if (problems.length === 0) return result.data;
    throw mediaAssetError('options-invalid', { problems });
  }
  throw mediaAssetError('options-invalid', {
    problems: result.error.issues.flatMap((issue) => toProblems(issue, { merged, origins, known })),
  });
}

const known = {
  '': Object.keys(optionsSchema.shape),
  service: Object.keys(serviceSchema.shape),
  files: Object.keys(filesSchema.shape),
  record: Object.keys(recordSchema.shape),
  rights: Object.keys(rightsSchema.shape),
  report: Object.keys(reportSchema.shape),
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Each variable, and the option that it sets by default. */
const variables = {
  ...serviceVariables,
  MEDIA_ASSET_REPORT: 'report.when',
  MEDIA_ASSET_PROJECT: 'report.project',
  MEDIA_ASSET_CONTACT: 'report.contact',
  MEDIA_ASSET_STATE_URL: 'report.store.redis',
};

/** The options with environment variables filled in, and the variable of each option that has one. */
function withEnvironment(input: unknown, environment: Environment) {
  const origins = new Map<string, string>();
  if (input !== undefined && !isGroup(input)) return { merged: input, origins };
  const merged: Group = { ...input };
  if (typeof merged.report === 'string') merged.report = { when: merged.report };
  // The one variable that overrides the config, in a `.env` file too.
  const isOff = environment.MEDIA_ASSET_REPORT === 'never' && isGroup(merged.report ?? {});
  if (isOff) merged.report = { ...(merged.report as Group | undefined), when: 'never' };
  for (const [variable, path] of Object.entries(variables)) {
    const value = environment[variable] || undefined;
    const [group, key, inner] = path.split('.') as [string, string, string?];
    const current = merged[group] ?? {};
    if (!isGroup(current) || (current[key] ?? '') !== '') continue;
    merged[group] = { ...current, [key]: value && inner ? { [inner]: value } : value };
    if (value) origins.set(path, variable);
  }
  return { merged, origins };
}
