import { createHash } from 'node:crypto';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { isBelow } from '../../scan/read/site-files.ts';
import type { SiteScan } from '../../scan/scan-site.ts';
import { unknownService } from '../../service/open-media-service.ts';
import {
  type BuildRules,
  readBuildRules,
  sealAddresses,
  writeBuildRules,
} from '../../usage/build-rules.ts';
import { pagesDigest } from '../../usage/site-usages.ts';
import type { SiteBuild } from './build-notes.ts';
import { writeBuiltFile } from './built-files.ts';
import { cacheFolder, renditionLocations } from './rendition-locations.ts';

type BuiltSite = Pick<SiteBuild, 'config' | 'options' | 'service'>;
type MarkedBuild = BuiltSite & Pick<SiteBuild, 'buildId' | 'startedAt'>;

/**
 * The rules that a build shares with the command line: how page URLs are formed, and what is sent with
 * each usage. Without `site`, pages get placeholder URLs, and no usage is sent.
 */
export function buildRulesOf({ config, options, service }: BuiltSite): BuildRules {
  const { report, crops, customFormat } = options;
  const { accountsUrl, clientId, tokenEncoding, downloads, uploadFields, concurrency } =
    options.service;
  const { maxIdsPerRequest, maxUnsent, onError } = report;
  const site = config.site ?? 'http://localhost';
  const project = report.project ?? new URL(site).host;
  const { assetsPrefix, format } = config.build;
  const prefixes =
    typeof assetsPrefix === 'object' ? assetsPrefix : { fallback: assetsPrefix ?? '' };
  const prefix = prefixes.css ?? prefixes.fallback;
  return {
    version: 1,
    site,
    base: config.base,
    format,
    trailingSlash: config.trailingSlash,
    ...(prefix && { assetsPrefix: prefix, assetsPrefixes: [...new Set(Object.values(prefixes))] }),
    exclude: report.exclude,
    ...(service.baseUrl !== unknownService && { service: service.baseUrl }),
    project,
    contact: report.contact ?? project,
    description: report.description,
    settings: {
      ...{ accountsUrl, clientId, tokenEncoding, downloads, uploadFields, concurrency },
      ...{ maxIdsPerRequest, maxUnsent, onError, crops },
      customFormat: typeof customFormat === 'function' ? 'own' : customFormat,
    },
    cache: relative(fileURLToPath(config.root), cacheFolder(config)),
    // A Redis URL can contain a password.
    ...(report.store && { store: 'file' in report.store ? report.store : 'redis' }),
  };
}

/** The file in the project's folder that tells the command line about the last build. */
function buildRulesPath({ config }: MarkedBuild): string {
  return join(fileURLToPath(config.root), '.media-asset/build.json');
}

/** The rules that a build leaves in `build.json`, with what identifies it. */
export function markedRules(build: MarkedBuild) {
  const rules = { ...buildRulesOf(build), outDir: outDirOf(build) };
  const digest = createHash('sha256').update(JSON.stringify(rules)).digest('hex').slice(0, 16);
  const stamp = renditionLocations(build.config, 'build').toFile(`media-asset.${digest}.txt`);
  const named = { ...rules, config: configFlag(process.argv.slice(2)) };
  const seal = sealAddresses(named, build.options.service);
  const { buildId, startedAt } = build;
  return { ...named, ...(seal && { seal }), stamp, build: buildId, startedAt };
}

/** The value of `astro build --config`. Astro's hooks don't tell it. */
function configFlag(args: string[]): string | undefined {
  const options = { config: { type: 'string' } } as const;
  const { config } = parseArgs({ args, options, strict: false, allowPositionals: true }).values;
  return typeof config === 'string' ? config : undefined;
}

/**
 * Whether the project's mark is from this build. It isn't if another build has started since.
 *
 * @throws `build-unfinished` if the other build emptied this build's folder, or a part of it
 */
export async function ownsMark(build: MarkedBuild): Promise<boolean> {
  const found = await readBuildRules(buildRulesPath(build));
  if (found === undefined || found.build === build.buildId) return true;
  if (!sharesFolder(build, found)) return false;
  const { site } = buildRulesOf(build);
  throw mediaAssetError('build-unfinished', { site, begunSince: true });
}

/** Whether the marked build uses this build's folder, a folder in it, or a folder around it. */
function sharesFolder(build: MarkedBuild, { outDir = '' }: BuildRules): boolean {
  const root = fileURLToPath(build.config.root);
  const [ours, theirs] = [resolve(root, outDirOf(build)), resolve(root, outDir)];
  return isBelow(ours, theirs) || isBelow(theirs, ours);
}

/** Relative to the project's folder. */
function outDirOf({ config: { root, outDir } }: MarkedBuild): string {
  return relative(fileURLToPath(root), fileURLToPath(outDir));
}

/** Writes a note for reports. With `report: 'never'`, a failure doesn't end the build. */
async function noteForReports(build: MarkedBuild, note: () => Promise<void>): Promise<void> {
  try {
    await note();
  } catch (error) {
    if (build.options.report.when !== 'never' || !isMediaAssetError(error)) throw error;
  }
}

/**
 * Begins a build and starts the work on assets. Marks the output as unfinished. Otherwise, after a
 * failed build, `media-asset report` would count its missing pages as removed.
 */
export async function beginBuild(
  build: MarkedBuild & Pick<SiteBuild, 'markdown' | 'checks'>,
): Promise<void> {
  const path = buildRulesPath(build);
  await noteForReports(build, async () => {
    if (build.config.site) {
      return writeBuildRules(path, { ...markedRules(build), finished: false });
    }
    // Without `site`, a build has no mark of its own, but may empty the folder of a marked one. A broken
    // mark prevents reports too.
    const found = await readBuildRules(path).catch(() => undefined);
    if (!found || !sharesFolder(build, found)) return;
    await writeBuildRules(path, { ...found, build: build.buildId, finished: false });
  });
  build.markdown.throwIfFailed();
  build.checks.start();
}

/**
 * Stamps the output with its rules before other integrations copy it. Builds with the same rules write
 * the same file, and steps that rewrite pages don't change it.
 */
export async function stampOutput(build: MarkedBuild, dir: URL): Promise<void> {
  const path = join(fileURLToPath(dir), markedRules(build).stamp);
  const text = 'media-asset report recognizes the pages of a build by this file.\n';
  await writeBuiltFile(path, Buffer.from(text));
}

/**
 * Ends a build once its pages are scanned, and marks its output as finished. If another build has
 * started since, its mark stays: the command line follows the build that started last.
 *
 * @param folder of the built pages, relative to the project's folder
 * @throws `build-unfinished` if another build has started in the same folder
 */
export async function endBuild(
  build: MarkedBuild,
  folder: string,
  built: Pick<SiteScan, 'pages'> & Pick<BuildRules, 'names' | 'rights' | 'digests' | 'originals'>,
): Promise<void> {
  const { pages, ...notes } = built;
  const output = isAbsolute(folder) ? undefined : folder.replaceAll(sep, '/') || '.';
  await noteForReports(build, async () => {
    if (!build.config.site || !(await ownsMark(build))) return;
    const found = { output, pages: pagesDigest({ pages }), ...notes };
    const rules = { ...markedRules(build), ...found, finished: true };
    await writeBuildRules(buildRulesPath(build), rules);
  });
}
