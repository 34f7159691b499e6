import * as z from 'zod';
import { count, days, oneOf, redisUrl, text } from './option-values.ts';

const storeSchema = z.union([z.strictObject({ file: text }), z.strictObject({ redis: redisUrl })], {
  error: 'expected { file: … } or { redis: … }',
});

export const when = oneOf(['production', 'deploy', 'always', 'never']);

export const reportSchema = z.strictObject({
  /**
   * When a build reports: on positive proof of a production build (`'production'`), after the deploy
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
  description: z.string({ error: 'expected a text' }).default(''),
  /** Globs of page paths whose usages are not reported, such as `/drafts/**`. @default [] */
  exclude: z.array(text, { error: 'expected a list of globs' }).default([]),
  /**
   * The branch whose builds are production builds, on hosts that name the branch of a build; it takes
   * the place of the default branch on GitHub and GitLab. Vercel and Netlify know by themselves.
   */
  productionBranch: text.optional(),
  /** Whether a build fails (`'fail'`) when the service cannot be reached for reporting. @default 'warn' */
  onError: oneOf(['warn', 'fail']).default('warn'),
  /** Days that usages which the service does not refuse may stay unsent before a build fails. @default 7 */
  maxUnsent: days.default(7),
  /**
   * Where the ledger is kept between builds: `{ file: '<path>' }`, or `{ redis: 'redis://…' }` (needs
   * the package redis). From `MEDIA_ASSET_STATE_URL`, an address of Redis; keep one with a password
   * out of the config file.
   * @default a file in `.media-asset`
   */
  store: storeSchema.optional(),
  /** Seconds that a run may take, waiting for another run included; what is left is kept for the next one. @default no limit */
  timeLimit: count(1, 86_400).optional(),
  /** A file for the plan as Markdown, such as for a comment on a pull request, in a folder that is there. */
  markdown: text.optional(),
  /** Ids in one usage request. @default 100 */
  maxIdsPerRequest: count(1, 10_000).default(100),
});
