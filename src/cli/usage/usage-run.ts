import { resolve } from 'node:path';
import { type Environment, type ResolvedOptions, resolveOptions } from '../../config/options.ts';
import { missingSettings } from '../../config/service-settings.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { previewHost } from '../../usage/decide/report-decision.ts';
import { assertMarkdownWritable } from '../../usage/output/publish-markdown.ts';
import { openSiteUsages } from '../../usage/site-usages.ts';
import { openService } from '../settings/open-service.ts';
import { readSiteSettings, type SiteFlags } from '../settings/site-settings.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface UsageFlags extends SiteFlags {
  readonly state?: string;
}

/**
 * Prepares planning and reporting, without the manifest. For a command that `sends`, the error for
 * an unknown service also lists missing credentials, and a preview is refused: its pages aren't the
 * site's.
 *
 * @throws like `readSiteSettings`; `report-preview`; `service-not-configured` if no service is
 * known; `options-invalid` if the build's ledger is in a Redis whose URL isn't known here
 */
export async function prepareUsageRun(
  flags: UsageFlags,
  terminal: Terminal,
  { sends = false }: { sends?: boolean } = {},
) {
  const host = sends ? previewHost(terminal.environment) : undefined;
  if (host) throw mediaAssetError('report-preview', host);
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
     * Call it after reading pages and before sending. Throws `build-unfinished` if another build
     * has started since. `scanFolder` refuses a build that was already unfinished.
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

/** Returns the absolute path of `--markdown`. Throws `file-unwritable` before any work is done. */
export async function markdownFile(
  { markdown }: { readonly markdown?: string },
  { directory }: Pick<Terminal, 'directory'>,
): Promise<string | undefined> {
  if (markdown === undefined) return undefined;
  const file = resolve(directory, markdown);
  await assertMarkdownWritable(file);
  return file;
}
