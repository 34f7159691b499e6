import { Command as CommanderCommand, Option } from 'commander';
import { parseAssetId } from '../errors/asset-id.ts';
import { mediaAssetError } from '../errors/errors.ts';
import { oneLine, show } from '../errors/wording.ts';
import { oneDay } from '../storage/day.ts';
import type { Command } from './terminal/terminal.ts';

export type ToAction = (
  /** Imports the command when it runs. */
  // biome-ignore lint/suspicious/noExplicitAny: each command types what it has declared
  load: () => Promise<Command<any, any[]>>,
  /** Whether the command evaluates the site's config, so that it runs in a process of its own. */
  options?: { readonly loadsConfig: boolean },
) => (this: Declared, ...given: unknown[]) => Promise<void>;

/** A command whose help can end with calls of it. */
export class Declared extends CommanderCommand {
  override createCommand(name?: string): Declared {
    return new Declared(name);
  }

  /** @param calls without the program's name */
  examples(...calls: readonly string[]): this {
    const title = calls.length === 1 ? 'Example' : 'Examples';
    const lines = calls.map((call) => `  $ media-asset ${call}`);
    return this.addHelpText('after', `\n${title}:\n${lines.join('\n')}`);
  }
}

/** For commands that call the service but need no site. */
export function libraryOptions(command: Declared): Declared {
  return command
    .option('--service <url>', "service URL (default: MEDIA_ASSET_BASE_URL, or the last build's)")
    .option('--json', 'print JSON');
}

/** For commands that read built pages. */
export function siteOptions(command: Declared, folder = '<folder>'): Declared {
  const argument = 'folder of built HTML: dist, or dist/client with most adapters';
  const formats = new Option(
    '--format <format>',
    "Astro's build.format (default: the last build's)",
  );
  const rule = "Astro's trailingSlash (default: the last build's)";
  const slashes = new Option('--trailing-slash <rule>', rule);
  return ledgerOptions(command.argument(folder, argument))
    .addOption(formats.choices(['directory', 'file', 'preserve']))
    .addOption(slashes.choices(['always', 'never', 'ignore']))
    .option('--exclude <glob>', 'page paths to exclude (repeatable)', repeated(String));
}

/** For commands that read no pages. */
export function ledgerOptions(command: Declared, { siteNamed = false } = {}): Declared {
  const siteText = siteNamed ? 'site URL' : "site URL (default: the last build's)";
  const baseText = "path that the site is served from (default: the last build's, or /)";
  const site = new Option('--site <url>', siteText).makeOptionMandatory(siteNamed);
  return libraryOptions(command.addOption(site).option('--base <path>', baseText));
}

/** For commands that read the ledger. */
export function stateOption(command: Declared): Declared {
  return command.option('--state <file>', 'ledger file (default: in .media-asset)');
}

/** For commands that make a plan. */
export function runOptions(command: Declared): Declared {
  return stateOption(command)
    .option('--project <name>', 'project to report usages for')
    .option('--contact <name>', 'person responsible')
    .option('--description <text>', 'description of the usages')
    .option(
      '--allow-removals',
      'send removals that the guard would hold (also MEDIA_ASSET_ALLOW_REMOVALS=1)',
    );
}

export function sendOptions(command: Declared): Declared {
  return command.option('-y, --yes', 'send without confirmation');
}

export function toPort(value: string): number {
  if (/^\d+$/.test(value) && Number(value) <= 65_535) return Number(value);
  return wrong(`--port ${showArgument(value)} isn't a port (0 to 65535).`);
}

/** A time, ISO 8601 in UTC. Tomorrow is the first day that includes now. */
export function toTime(value: string): string {
  const time = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(value) ? Date.parse(value) : Number.NaN;
  const text = time <= Date.now() + oneDay ? new Date(time).toISOString() : 'no date';
  // 31 February is a day of March.
  if (value !== '' && text.startsWith(value.slice(0, 10))) return text;
  const problem = 'such as 2026-03-01 or 2026-03-01T08:00:00Z, and at the latest tomorrow';
  return wrong(`--complete-before ${showArgument(value)} isn't a date, ${problem}.`);
}

export function toAssetId(value: string): number {
  return parseAssetId(value) ?? wrong(`${showArgument(value)} isn't an asset ID.`);
}

/** For an option that can be repeated. */
export function repeated<T>(parse: (text: string) => T) {
  return (text: string, earlier: readonly T[] = []): T[] => [...earlier, parse(text)];
}

export function toNames(value: string): string[] {
  return [...new Set(value.split(',').map((name) => oneLine(name).trim()))];
}

export function toFolderId(value: string): number {
  const id = value === '0' ? 0 : parseAssetId(value);
  return id ?? wrong(`${showArgument(value)} isn't a folder ID.`);
}

export function showArgument(value: string): string {
  return /^[\w.,:/=+-]+$/.test(value) ? show(value).replaceAll('"', '') : show(value);
}

export function wrong(problem: string): never {
  throw mediaAssetError('command-usage', { problem });
}
