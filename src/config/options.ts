import * as z from 'zod';
import { mediaAssetError } from '../errors/errors.ts';
import { type Environment, withEnvironment } from './environment-options.ts';
import { filesSchema } from './files-options.ts';
import { toProblems } from './option-problems.ts';
import { days, oneOf } from './option-values.ts';
import { reportSchema, type when } from './report-options.ts';
import { serviceSchema } from './service-options.ts';

export type { Environment } from './environment-options.ts';
export {
  missingSettings,
  type ServiceSettings,
  serviceSettings,
} from './service-settings.ts';

/**
 * The query of a custom format, in the order in which it is sent. `picture` is the original's size as
 * displayed, in pixels; originals are fetched for it only where a function reads it.
 */
type CustomFormat = (
  crop: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  },
  picture: { readonly width: number; readonly height: number },
) => Record<string, string | number>;

const optionsSchema = z.strictObject({
  /** The Media Asset Service and the credentials. All of it can come from the environment. */
  service: z.preprocess((value) => value ?? {}, serviceSchema),
  /**
   * `static`: the build downloads and the site serves. `service`: pages carry the service's own
   * download addresses, for gateways that answer visitors without a token.
   * @default 'static'
   */
  delivery: oneOf(['static', 'service']).default('static'),
  /**
   * Who cuts a crop: the service (its custom format), or this machine, from the original.
   * @default 'service' in builds, 'local' in dev
   */
  crops: oneOf(['service', 'local']).optional(),
  /**
   * The query of a crop's custom format. `size`: `x1`, `y1`, and the crop's size as `w`, `h`.
   * `corners`, for services that take `w` and `h` as the size of the answer: also `x2`, `y2` (the
   * first pixels outside) and the original's size as `sw`, `sh`, for which a build fetches the
   * originals of cropped assets too. Or a function of the site's own: `(crop, picture) => ({ … })`.
   * @default 'size'
   */
  customFormat: z
    .union([z.enum(['size', 'corners']), z.custom<CustomFormat>(isFunction)], {
      error: "expected 'size', 'corners' or a function",
    })
    .default('size'),
  /**
   * SVG drawings, which can hold scripts. `refuse`: a page that shows one is an error. `sanitize`:
   * they are published without all that could run or fetch something (needs the packages dompurify
   * and jsdom). `trust`: as they are, for services where only those may upload who may change the site.
   * @default 'refuse'
   */
  svg: oneOf(['refuse', 'sanitize', 'trust']).default('refuse'),
  /** What a build does about an asset that the service refuses: `'fail'`, or `'warn'` and go on without it. @default 'fail' */
  unavailable: oneOf(['fail', 'warn']).default('fail'),
  /** Days that a cached asset may be published while the service cannot be reached. @default 7 */
  maxStale: days.default(7),
  /** Files that are published as they are: `<MediaFile>`, `<MediaVideo>`. */
  files: z.preprocess((value) => value ?? {}, filesSchema),
  /** Reporting usages: when, or an object with all of it. @default 'production' */
  report: z.preprocess(
    (value) => (typeof value === 'string' ? { when: value } : (value ?? {})),
    reportSchema,
  ),
});

/** All that a site can configure. */
export interface MediaAssetsOptions
  extends Omit<z.input<typeof optionsSchema>, 'service' | 'files' | 'report'> {
  service?: z.input<typeof serviceSchema>;
  files?: z.input<typeof filesSchema>;
  report?: z.input<typeof when> | z.input<typeof reportSchema>;
}

/** The options with environment and defaults filled in. */
export type ResolvedOptions = z.output<typeof optionsSchema>;

/**
 * Options, then environment, then defaults. The input is not changed.
 *
 * @throws `options-invalid` with every problem: its dotted path (or the variable that it came
 * from), what was expected and what was received.
 */
export function resolveOptions(input: unknown, environment: Environment): ResolvedOptions {
  const { merged, origins } = withEnvironment(input, environment);
  const result = optionsSchema.safeParse(merged);
  if (result.success) return result.data;
  throw mediaAssetError('options-invalid', {
    problems: result.error.issues.flatMap((issue) => toProblems(issue, { merged, origins, known })),
  });
}

const known = {
  '': Object.keys(optionsSchema.shape),
  service: Object.keys(serviceSchema.shape),
  files: Object.keys(filesSchema.shape),
  report: Object.keys(reportSchema.shape),
};

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
