import { scryptSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { keptSettings } from '../config/options.ts';
import { mediaAssetError } from '../errors/errors.ts';
import { parseJson } from '../errors/wording.ts';
import type { SiteScan } from '../scan/scan-site.ts';
import { digest } from '../storage/digest.ts';
import { writeOutput } from '../storage/replace-file.ts';
import { answerSchema } from './ledger/gaps.ts';
import { serviceName } from './ledger/ledger-identity.ts';
import { nextEndSchema } from './next-end.ts';

const url = z.url({ protocol: /^https?$/, error: 'expected an absolute http or https URL' });

const assetDigest = z.object({
  source: z.object({ kind: z.enum(['original', 'file']), version: z.string() }).optional(),
  record: z
    .record(
      z.string(),
      z.object({ digest: z.string(), mayShow: z.boolean(), until: z.string().optional() }),
    )
    .optional(),
});

const schema = z.object({
  version: z.literal(1, { error: 'expected version 1 (a newer astro-media-asset wrote the file)' }),
  site: url,
  base: z.string(),
  format: z.enum(['directory', 'file', 'preserve']),
  trailingSlash: z.enum(['always', 'never', 'ignore']),
  /** The URL that stylesheets are linked from, if it isn't the site's (`build.assetsPrefix`). */
  assetsPrefix: z.string().optional(),
  /** All URLs that images are published below, if they aren't the site's (`build.assetsPrefix`). */
  assetsPrefixes: z.array(z.string()).optional(),
  /** Globs of page paths whose usages are not reported. */
  exclude: z.array(z.string()),
  /** The service's base URL, without credentials. Missing if a build had no service. */
  service: url.optional(),
  project: z.string(),
  contact: z.string(),
  description: z.string(),
  /** False until a build has ended, because the output of a failed build proves nothing. */
  finished: z.boolean().optional(),
  /** The random ID of the last build that has started. */
  build: z.string().optional(),
  /** When the build started, ISO 8601 in UTC. */
  startedAt: z.iso.datetime().optional(),
  /** The history that the build's witness names. */
  history: z.string().optional(),
  /** What was online when a build began that is reported: the deploy replaces it. */
  witness: answerSchema.optional(),
  /** The folder that the build empties and fills, relative to the project's folder. */
  outDir: z.string().optional(),
  /** A seal of the URLs and encoding for credentials: see `sealAddresses`. */
  seal: z.string().optional(),
  /**
   * The file that the build puts into the folder of its pages, relative to that folder. Its name
   * has a digest of these rules, so a folder without it was built with other rules.
   */
  stamp: z.string().optional(),
  /** A digest of the built pages' URLs and our files' names: see `pagesDigest`. */
  pages: z.string().optional(),
  /** How the build reaches this service and reports. */
  settings: keptSettings.optional(),
  /** The assets' names in the service, by ID, if the build knows them. Only for people. */
  names: z.record(z.string(), z.string()).optional(),
  /** The config file, relative to the project's folder, if it hasn't the default name. */
  config: z.string().optional(),
  /** What the built pages depend on. Set after the build, so that `media-asset watch` can compare it. */
  digests: z
    .object({
      /** Of the options that affect rendered pages. */
      settings: z.string(),
      assets: z.record(z.string(), assetDigest),
    })
    .optional(),
  /** Set after the build, if the site reads rights. */
  next: nextEndSchema.optional(),
  /** What the build knew of its originals: see `sealOriginals`. Set after reported builds. */
  originals: z.string().optional(),
  /** The folder of the built pages, relative to the project's and with `/`. Set after the build. */
  output: z.string().min(1).optional(),
  /** The cache folder, relative to the project's folder. */
  cache: z.string().optional(),
  /** The ledger's place, if it isn't the default file. The URL of Redis can contain a password. */
  store: z
    .union([z.strictObject({ file: z.string() }), z.literal('redis')], {
      error: "expected { file: … } or 'redis'",
    })
    .optional(),
});

/**
 * The rules that a build leaves in `.media-asset/build.json`, so that the command line computes the
 * same pages and usages. Contains no secret.
 */
export type BuildRules = z.output<typeof schema>;

/** The last seal. A build and a command need theirs several times, and scrypt takes 50 ms each time. */
let lastSeal: { readonly input: string; readonly seal: string } | undefined;

const secretNames = ['clientSecret', 'refreshToken', 'password', 'accessToken'] as const;

/**
 * A seal that only someone with the same credentials can write. It covers the config file, which
 * commands run, the URLs that get the credentials, and their encoding, because `query` puts secrets
 * into URLs, which servers log.
 * Others may write to a cache or an artifact that contains the rules. scrypt makes guessing slow.
 */
export function sealAddresses(
  { service, settings, config }: Pick<BuildRules, 'service' | 'settings' | 'config'>,
  credentials: Partial<Record<(typeof secretNames)[number], string | undefined>>,
): string | undefined {
  const secrets = secretNames.map((name) => credentials[name]);
  if (!secrets.some(Boolean)) return undefined;
  const { accountsUrl, tokenEncoding, tokenPath } = settings ?? {};
  const addresses = [service, accountsUrl, tokenEncoding, tokenPath];
  const sealed = JSON.stringify([...addresses, ...(config ? [config] : [])]);
  const input = JSON.stringify([secrets, sealed]);
  if (lastSeal?.input !== input) {
    const seal = scryptSync(JSON.stringify(secrets), sealed, 32).toString('base64url');
    lastSeal = { input, seal };
  }
  return lastSeal.seal;
}

/** Reads a build's rules; `undefined` if there is no such file. Throws `rules-broken`. */
export async function readBuildRules(path: string): Promise<BuildRules | undefined> {
  const broken = (problem: string, cause?: unknown) =>
    mediaAssetError('rules-broken', { path, problem }, { cause });
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw broken(cause.message, cause);
  });
  return text === undefined ? undefined : parseJson(text, schema, broken);
}

/** Writes the rules of a build: to a temporary file, then renamed. Throws `file-unwritable`. */
export async function writeBuildRules(path: string, rules: BuildRules): Promise<void> {
  const service = rules.service && serviceName(rules.service);
  await writeOutput(path, `${JSON.stringify(schema.parse({ ...rules, service }), undefined, 2)}\n`);
}

/**
 * A digest that distinguishes the pages and images of a build from a part of them, and from those of
 * another build. Without it, missing ones would count as removed, or as never published. Their content
 * doesn't matter, because hosts rewrite it.
 */
export function pagesDigest({ pages, files }: Pick<SiteScan, 'pages' | 'files'>): string {
  return digest([...pages.map(({ page }) => page), ...files].sort());
}
