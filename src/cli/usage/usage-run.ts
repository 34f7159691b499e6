import { resolve } from 'node:path';
import { type Environment, type ResolvedOptions, resolveOptions } from '../../config/options.ts';
import { missingSettings } from '../../config/service-settings.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { assertMarkdownWritable } from '../../usage/output/publish-markdown.ts';
import { openSiteUsages } from '../../usage/site-usages.ts';
import { openService } from '../settings/open-service.ts';
import { readSiteSettings, type SiteFlags } from '../settings/site-settings.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface UsageFlags extends SiteFlags {
  readonly state?: string;
}

/**
 * Gathers what planning and reporting start from, apart from the manifest. For a command that `sends`,
 * the error about a missing service names the credentials that are missing too.
 *
 * @throws as `readSiteSettings` does; `service-not-configured` where no service is known;
 * `options-invalid` where the build keeps its ledger in Redis, and its address is not known here
 */
export async function prepareUsageRun(
  flags: UsageFlags,
  terminal: Terminal,
  { sends = false }: { sends?: boolean } = {},
) {
  const { rules, ...known } = await readSiteSettings(flags, terminal);
  const { environment } = known;
  const { site, service } = rules;
  if (!service) {
    const [, ...credentials] = missingSettings(resolveOptions({}, environment).service);
    const missing = ['--service (MEDIA_ASSET_BASE_URL)', ...(sends ? credentials : [])];
    throw mediaAssetError('service-not-configured', { missing });
  }
  const usages = openSiteUsages({
    rules,
    service,
    store: flags.state ? { file: flags.state } : storeOf(rules, environment),
    root: terminal.directory,
    environment: terminal.environment,
    onWait: terminal.note,
  });
  return {
    rules,
    usages: { ...usages, allowRemovals: flags.allowRemovals ?? usages.allowRemovals },
    openService: () => openService(flags, known, { terminal }),
    /**
     * For when the pages have been read, and before anything is sent: throws `build-unfinished` where
     * another build has begun since. A build that was unfinished before is refused with its pages.
     */
    async assertSameBuild() {
      const { finished, build } = (await readSiteSettings(flags, terminal)).rules;
      const begunSince = finished === false && rules.finished !== false;
      if (!begunSince && build === rules.build) return;
      throw mediaAssetError('build-unfinished', { site, begunSince: true });
    },
  };
}

function storeOf(
  { store }: BuildRules,
  { MEDIA_ASSET_STATE_URL }: Environment,
): ResolvedOptions['report']['store'] {
  if (typeof store === 'object') return store;
  const { report } = resolveOptions({}, { MEDIA_ASSET_STATE_URL });
  if (store === 'redis' && !report.store) {
    const problem = 'MEDIA_ASSET_STATE_URL: missing; the build keeps its ledger in that Redis';
    throw mediaAssetError('options-invalid', { problems: [problem] });
  }
  return report.store;
}

/** The absolute path of `--markdown`. Throws `file-unwritable` before anything is done. */
export async function markdownFile(
  { markdown }: { readonly markdown?: string },
  { directory }: Pick<Terminal, 'directory'>,
): Promise<string | undefined> {
  if (markdown === undefined) return undefined;
  const file = resolve(directory, markdown);
  await assertMarkdownWritable(file);
  return file;
}
