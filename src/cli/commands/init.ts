import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvironment } from '../../config/environment.ts';
import { type Environment, resolveOptions } from '../../config/options.ts';
import { serviceSettings } from '../../config/service-settings.ts';
import { wrong } from '../command-options.ts';
import { configSnippet } from '../init/config-file.ts';
import * as plans from '../init/plan-files.ts';
import { issuesNoTokens, probeService, type ServiceFacts } from '../init/probe-service.ts';
import { configFiles } from '../settings/load-site-config.ts';
import { parseAddress } from '../settings/site-settings.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface InitFlags {
  readonly service?: string;
  readonly accounts?: string;
  readonly site?: string;
  readonly asset?: number;
  readonly yes?: boolean;
}

/** Finds out how a service answers, and sets an Astro site up for it. Can be run again. */
export async function init(flags: InitFlags, terminal: Terminal): Promise<void> {
  const { directory, redraw } = terminal;
  const config = configFiles.find((name) => existsSync(join(directory, name)));
  if (config === undefined) {
    wrong('There is no Astro config in this folder. Run init in the folder of an Astro site.');
  }
  if (flags.site !== undefined) parseAddress('--site', flags.site);
  const environment = await completeEnvironment(flags, terminal);
  redraw?.('Asking the service how it answers …');
  const facts = await findFacts(environment, { asset: flags.asset, terminal });
  redraw?.('');
  const files = await plans.planFiles(directory, { config, site: flags.site, facts });
  const [changed] = files.filter(({ name }) => name === config);
  if (!/\bsite\b/.test(changed?.after ?? changed?.before ?? ''))
    terminal.note(
      `${config} has no \`site\`, which a build needs to report usages: add --site <url>.\n`,
    );
  terminal.note([...factLines(facts), '', ...files.flatMap(fileLines)].join('\n'));
  if (files.some(({ after }) => after === undefined)) {
    terminal.note(
      `\nAdd this to ${config} by hand:\n\n${configSnippet(plans.neededOptions(facts))}`,
    );
  }
  const changes = files.filter((file) => stateOf(file) !== 'unchanged');
  const isAsked = changes.length > 0;
  const mayWrite = isAsked && (flags.yes || (await terminal.confirm?.('\nWrite these files?')));
  const written = mayWrite === true;
  if (written) for (const file of changes) await plans.writeChange(directory, file);
  const { settings, crops = null, image, listsUsages } = facts;
  const { baseUrl: service, accountsUrl: accounts = service, tokenPath } = settings;
  const { tokenEncoding, downloads } = settings;
  const answers = { tokenPath, tokenEncoding, downloads, crops, image: image?.id ?? null };
  const found = { service, accounts, ...answers };
  const states = files.map((file) => ({ file: file.name, state: stateOf(file) }));
  terminal.print({ ...found, listsUsages, files: states, written }, () =>
    endText(files, { written, isAsked, id: image?.id }),
  );
}

async function completeEnvironment(
  { service, accounts }: InitFlags,
  terminal: Terminal,
): Promise<Environment> {
  const found: Record<string, string | undefined> = {
    ...loadEnvironment(terminal.directory, 'production', terminal.environment),
    ...(service !== undefined && { MEDIA_ASSET_BASE_URL: service }),
    ...(accounts !== undefined && { MEDIA_ASSET_ACCOUNTS_URL: accounts }),
  };
  if (!terminal.confirm) return found;
  const ask = async (variable: string, question: string, isSecret = false) => {
    found[`MEDIA_ASSET_${variable}`] ||= (await terminal.ask(question, { isSecret }))?.trim();
  };
  await ask('BASE_URL', "URL of the service's API: ");
  if (found.MEDIA_ASSET_ACCESS_TOKEN) return found;
  await ask('CLIENT_ID', 'Client ID: ');
  await ask('CLIENT_SECRET', 'Client secret (hidden): ', true);
  if (!found.MEDIA_ASSET_REFRESH_TOKEN) await ask('USERNAME', 'User name (empty for a token): ');
  if (found.MEDIA_ASSET_USERNAME) await ask('PASSWORD', 'Password (hidden): ', true);
  else await ask('REFRESH_TOKEN', 'Refresh token (hidden, empty after a login): ', true);
  return found;
}

/** A person is asked for the token host, because secrets go to no host that was only guessed. */
async function findFacts(
  environment: Environment,
  { asset, terminal }: { asset: number | undefined; terminal: Terminal },
): Promise<ServiceFacts> {
  const settings = serviceSettings(resolveOptions({}, environment));
  try {
    return await probeService({ settings, environment, asset, fields: plans.knownFields });
  } catch (thrown) {
    const { MEDIA_ASSET_ACCOUNTS_URL: known } = environment;
    if (!issuesNoTokens(thrown) || known || !terminal.confirm) throw thrown;
    terminal.note(`${settings.baseUrl} issues no tokens.`);
    const question = 'URL of the host that does, such as https://accounts.example.org: ';
    const accounts = (await terminal.ask(question))?.trim();
    if (!accounts) throw thrown;
    return findFacts({ ...environment, MEDIA_ASSET_ACCOUNTS_URL: accounts }, { asset, terminal });
  }
}

const cropTexts = {
  size: '`w` and `h` are the size of the crop',
  corners: "`w` and `h` are the size of the result (`customFormat: 'corners'`)",
  local: "wrong in both known ways, so this machine cuts them (`crops: 'local'`)",
} as const;

const noRightsText =
  'no field about consent or a license was found, so all assets are allowed: see `rights` in the config';

function factLines({ settings, crops, image, fields, listsUsages }: ServiceFacts): string[] {
  const { baseUrl, accountsUrl = baseUrl, tokenPath, tokenEncoding, downloads } = settings;
  const names = Array.from(fields.values(), ({ name }) => name);
  const rights = plans
    .rightsFields(fields)
    .map(({ field, name }) => (field === name ? name : `${field}.${name}`));
  const missing = plans.rightsMissing(fields).map((what) => `no field about ${what} was found`);
  const why = plans.whyForbidden(fields);
  const forbidden = why ? [`asset ${image?.id} is forbidden by this rule (${why})`] : [];
  const rows = {
    service: baseUrl,
    tokens: `${accountsUrl}${tokenPath}, requests as ${tokenEncoding}`,
    image: image ? `asset ${image.id}` : 'none was found: name one with --asset',
    downloads: downloads === 'url' ? 'JSON with a URL' : 'the bytes, or a redirect to them',
    crops: crops ? cropTexts[crops] : 'not known: name an image with detail with --asset',
    records: names.length > 0 ? names.join(', ') : 'none of the usual fields',
    rights:
      rights.length > 0
        ? [`by ${rights.join(', ')}`, ...missing, ...forbidden].join('; ')
        : noRightsText,
    usages: listsUsages ? 'listed for each asset' : 'not listed, so `reconcile` has no use',
  };
  return Object.entries(rows).map(([name, text]) => `${name.padEnd(11)}${text}`);
}

function stateOf({ before, after }: plans.FileChange): 'new' | 'changed' | 'unchanged' | 'by hand' {
  if (after === undefined) return 'by hand';
  if (before === after) return 'unchanged';
  return before === undefined ? 'new' : 'changed';
}

/** The file and its new lines, also those that equal an old one, without the values of variables. */
function fileLines(file: plans.FileChange): string[] {
  const linesOf = (text = '') => text.split(/\r?\n/).filter(Boolean);
  const after = linesOf(file.after);
  const kept = linesOf(file.before).filter((line) => after.includes(line));
  const fresh = after.filter((line) => line !== kept[0] || !kept.shift());
  const shown = file.name === '.env' ? fresh.map((line) => line.replace(/=.*/, '=…')) : fresh;
  const lines = file.name === plans.samplePage ? [] : shown.map((line) => `  + ${line}`);
  return [`${stateOf(file).padEnd(11)}${file.name}`, ...lines];
}

function endText(
  files: readonly plans.FileChange[],
  { written, isAsked, id }: { written: boolean; isAsked: boolean; id: number | undefined },
): string {
  if (!isAsked) return 'Everything is set up.';
  if (!written) return 'Nothing was written. --yes writes without asking.';
  if (!files.some(({ name }) => name === plans.samplePage)) return 'Written.';
  return `Written. Run \`npm run dev\`, and open http://localhost:4321/first-image: it shows asset ${id}.`;
}
