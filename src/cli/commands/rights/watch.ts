import type { ChangedAsset } from '../../../assets/build-digests.ts';
import type { Environment } from '../../../config/options.ts';
import { variableOf } from '../../../config/service-settings.ts';
import { mediaAssetError } from '../../../errors/errors.ts';
import { countOf } from '../../../errors/wording.ts';
import type { BuildRules } from '../../../usage/build-rules.ts';
import { siteUrl } from '../../../usage/ledger/ledger-identity.ts';
import { readLiveWitness } from '../../../usage/ledger/live-witness.ts';
import { nextEndText } from '../../../usage/next-end.ts';
import { loadSiteConfig } from '../../settings/load-site-config.ts';
import { reachService, readLastBuild, unsetSettings } from '../../settings/site-settings.ts';
import { withNulls } from '../../terminal/json-output.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { type Column, type TextStyle, tableRows } from '../../terminal/table.ts';
import { type ExitCode, exitCodes, noteFindings, type Terminal } from '../../terminal/terminal.ts';

interface WatchedBuild {
  /** The number of assets that were compared. */
  readonly assets: number;
  /** ISO 8601, in UTC. */
  readonly builtAt: string;
  /** Whether options that affect pages have changed. */
  readonly options: boolean;
  /** Whether the build is online; `null` if the live site doesn't say which one is. */
  readonly online: boolean | null;
  readonly changes: readonly (ChangedAsset & { readonly name: string | undefined })[];
}

/** Checks as the next build would, and compares that with the last build. Nothing is kept. */
export async function watch(
  { next }: { readonly next?: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const known = await readLastBuild(terminal);
  if (next) return printNextEnd(known.built, terminal);
  const built = comparableBuild(known.built);
  const { digests, service, startedAt = '' } = built;
  const variables = await serviceVariables(built, known.environment);
  const config = await loadSiteConfig(terminal, known, variables);
  if (!config) {
    const problem = "the file is missing, or doesn't use astro-media-asset";
    throw mediaAssetError('config-unloadable', { file: 'The Astro config', problem });
  }
  const today = await config.openAssets((found) => noteFindings([found], terminal));
  const progress = progressLine('Checking assets', terminal);
  // Another service has other assets under the same IDs.
  const compared = today.service === service ? digests.assets : {};
  const changes = await today.changesSince(compared, (done, total) => progress({ done, total }));
  const names = today.names();
  const live = await readLiveWitness(siteUrl(built));
  if (live.kind === 'unread') terminal.note(`Which build is online isn't known: ${live.problem}.`);
  const found: WatchedBuild = {
    assets: Object.keys(compared).length,
    builtAt: startedAt,
    options: today.settings !== digests.settings,
    online: live.kind === 'read' && built.build ? live.build === built.build : null,
    changes: changes.map((change) => ({ ...change, name: names[change.id] })),
  };
  const json = found.changes.map((one) => withNulls(one, 'id', 'name', 'reason', 'detail'));
  terminal.print({ ...found, changes: json }, () => watchText(found, terminal));
  const isCurrent = !found.options && found.online !== false && changes.length === 0;
  return isCurrent ? exitCodes.done : exitCodes.rebuild;
}

/** The date alone goes to stdout, so that a schedule can be set to it. */
function printNextEnd(found: BuildRules | undefined, terminal: Terminal): ExitCode {
  const { next } = finishedBuild(found);
  if (!next) throw unknown('no rights');
  terminal.note(`Next end of rights: ${nextEndText(next)}.`);
  terminal.print(
    { next: withNulls(next, 'until', 'ids', 'pages', 'unknown') },
    () => next.until ?? '',
  );
  return exitCodes.done;
}

const unknown = (has: Parameters<typeof mediaAssetError<'build-unknown'>>[1]['has']) =>
  mediaAssetError('build-unknown', { path: '.media-asset/build.json', has });

function finishedBuild(built: BuildRules | undefined): BuildRules {
  if (!built) throw unknown('no build');
  if (built.finished === false) throw mediaAssetError('build-unfinished', { site: built.site });
  return built;
}

function comparableBuild(found: BuildRules | undefined) {
  const built = finishedBuild(found);
  const { digests, service } = built;
  if (!digests || !service) throw unknown('no digests');
  if (Object.keys(digests.assets).length === 0) throw unknown('no assets');
  return { ...built, digests, service };
}

/** The variables that make the config use the build's service. */
async function serviceVariables(
  built: ReturnType<typeof comparableBuild>,
  environment: Environment,
): Promise<Environment> {
  const { MEDIA_ASSET_BASE_URL: named, ...others } = environment;
  // Only the build names another service, so its seal must prove it.
  reachService({}, { built, environment: named === built.service ? environment : others });
  const unset = Object.entries(unsetSettings(built.settings, environment)).flatMap(
    ([name, value]) => (typeof value === 'string' ? [[variableOf(name), value]] : []),
  );
  return { ...Object.fromEntries(unset), MEDIA_ASSET_BASE_URL: built.service };
}

const columns: readonly Column<WatchedBuild['changes'][number]>[] = [
  { title: 'change', value: ({ reason }) => reason },
  { title: 'id', value: ({ id }) => String(id), right: true },
  { title: 'name', value: ({ name = '' }) => name },
  {
    title: 'detail',
    value: ({ reason, detail = '' }) => (reason === 'ending' ? `until ${detail}` : detail),
  },
];

function watchText(found: WatchedBuild, style: TextStyle): string {
  const { assets, builtAt, options, online, changes } = found;
  const build = `the build of ${builtAt.slice(0, 16).replace('T', ' ')} UTC`;
  const changed = new Set(changes.map(({ id }) => id)).size;
  const reasons = [
    changed > 0 && `${countOf(changed, 'asset')} of ${assets} changed since ${build}.`,
    options && `Options that affect pages have changed since ${build}.`,
    online === false && `The live site has another build than ${build}.`,
  ].filter(Boolean);
  if (reasons.length === 0)
    return `Nothing has changed since ${build}: ${countOf(assets, 'asset')} compared.`;
  const table = changed > 0 ? tableRows(columns, changes, style) : [];
  return [...table, ...reasons.map((reason) => `${reason} Build the site again.`)].join('\n');
}
