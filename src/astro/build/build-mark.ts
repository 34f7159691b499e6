import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keptSettings } from '../../config/options.ts';
import { hasCredentials } from '../../config/service-settings.ts';
import { ignoreOurs, mediaAssetError } from '../../errors/errors.ts';
import { unknownService } from '../../service/open-media-service.ts';
import { digest } from '../../storage/digest.ts';
import { ignoreMissing } from '../../storage/file-problems.ts';
import {
  type BuildRules,
  readBuildRules,
  sealAddresses,
  writeBuildRules,
} from '../../usage/build-rules.ts';
import { decideReport, isReported, readBuildFacts } from '../../usage/decide/report-decision.ts';
import { serviceName, siteUrl } from '../../usage/ledger/ledger-identity.ts';
import {
  formatWitness,
  parseWitness,
  readLiveWitness,
  witnessFile,
} from '../../usage/ledger/live-witness.ts';
import { openStateStore } from '../../usage/ledger/open-state-store.ts';
import { loadHistory } from '../../usage/ledger/publication-history.ts';
import type { SiteBuild } from './build-notes.ts';
import { writeBuiltFile } from './built-files.ts';
import { assetsPrefixes, cacheFolder, renditionLocations } from './rendition-locations.ts';

type BuiltSite = Pick<SiteBuild, 'config' | 'options' | 'service'>;
type MarkedBuild = BuiltSite & Pick<SiteBuild, 'buildId' | 'startedAt' | 'online'>;

/** The rules that a build shares with commands. Without `site`, pages get placeholder URLs. */
export function buildRulesOf({ config, options, service }: BuiltSite): BuildRules {
  const { report, crops, customFormat } = options;
  const site = config.site ?? 'http://localhost';
  const project = report.project ?? new URL(site).host;
  const prefixes = assetsPrefixes(config.build);
  const prefix = prefixes.css ?? prefixes.fallback;
  const all = [...new Set(Object.values(prefixes))].filter((one) => one !== '');
  return {
    version: 1,
    site,
    base: config.base,
    format: config.build.format,
    trailingSlash: config.trailingSlash,
    ...(prefix && { assetsPrefix: prefix }),
    ...(all.length > 0 && { assetsPrefixes: all }),
    exclude: report.exclude,
    ...(service.baseUrl !== unknownService && { service: service.baseUrl }),
    project,
    contact: report.contact ?? project,
    description: report.description,
    settings: keptSettings.parse({
      ...{ ...options.service, ...report, crops },
      customFormat: typeof customFormat === 'function' ? 'own' : customFormat,
    }),
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
  const { root, outDir } = build.config;
  const relativeDir = relative(fileURLToPath(root), fileURLToPath(outDir));
  const rules = { ...buildRulesOf(build), outDir: relativeDir };
  const name = `media-asset.${digest(rules)}.txt`;
  const stamp = renditionLocations(build.config, 'build').toFile(name);
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

/** @throws `build-unfinished` if another build has started since: it may have emptied the folder */
export async function assertOwnMark(build: MarkedBuild): Promise<void> {
  const found = await readBuildRules(buildRulesPath(build));
  if (found === undefined || found.build === build.buildId) return;
  const { site } = buildRulesOf(build);
  throw mediaAssetError('build-unfinished', { site, begunSince: true });
}

/** Begins a build, and marks the output as unfinished: its missing pages don't count as removed. */
export async function beginBuild(
  build: MarkedBuild & Pick<SiteBuild, 'markdown' | 'checks'>,
): Promise<void> {
  if (build.config.site) {
    await writeBuildRules(buildRulesPath(build), { ...markedRules(build), finished: false });
  }
  build.online = readOnline(build);
  build.markdown.throwIfFailed();
  build.checks.start();
}

/** Reads what is online before a reported build replaces it, and the history's ID. Never throws. */
async function readOnline(build: MarkedBuild): Promise<Pick<BuildRules, 'history' | 'witness'>> {
  const { config, options } = build;
  const { site, base } = config;
  const root = fileURLToPath(config.root);
  const history = randomUUID();
  const decision = decideReport({ ...options.report, ...(await readBuildFacts(root)) });
  if (!site || !hasCredentials(options) || !isReported(decision)) return { history };
  const service = build.service.baseUrl;
  const identity = { service, site, base };
  const place = { store: options.report.store, root, identity, kind: 'history' } as const;
  const [witness, kept] = await Promise.all([
    readLiveWitness(siteUrl(identity)),
    loadHistory(openStateStore(place), serviceName(service)).catch(ignoreOurs),
  ]);
  return { history: kept?.id ?? history, witness };
}

/**
 * Stamps the output with its rules before other integrations copy it. Builds with the same rules write
 * the same file, and steps that rewrite pages don't change it. Next to the pages, the witness names the
 * build: it says which build is online.
 */
export async function stampOutput(build: MarkedBuild, dir: URL): Promise<void> {
  const path = join(fileURLToPath(dir), markedRules(build).stamp);
  const text = 'media-asset report recognizes the pages of a build by this file.\n';
  await writeBuiltFile(path, Buffer.from(text));
  const { buildId, startedAt, config, options } = build;
  if (!config.site || options.report.when === 'never') return;
  const witness = join(fileURLToPath(dir), witnessFile);
  const earlier = await readFile(witness, 'utf8').catch(ignoreMissing);
  // An earlier build's can still be in a folder that isn't emptied.
  if (earlier !== undefined && !parseWitness(earlier)) {
    throw mediaAssetError('witness-taken', { path: `/${witnessFile}` });
  }
  const { history = randomUUID() } = (await build.online) ?? {};
  const own = { history, build: buildId, startedAt };
  await writeBuiltFile(witness, Buffer.from(formatWitness(own)));
}

/** Marks a build as finished, and returns its report's rules. `folder`: below the project's. */
export async function endBuild(
  build: MarkedBuild,
  folder: string,
  built: Pick<BuildRules, 'pages' | 'names' | 'digests' | 'next' | 'originals'>,
): Promise<BuildRules> {
  const output = isAbsolute(folder) ? undefined : folder.replaceAll(sep, '/') || '.';
  const found = { output, ...built, ...(await build.online) };
  const rules = { ...markedRules(build), ...found, finished: true };
  if (build.config.site) {
    await assertOwnMark(build);
    await writeBuildRules(buildRulesPath(build), rules);
  }
  return rules;
}
