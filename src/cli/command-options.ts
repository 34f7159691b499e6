import { type Command, Option } from 'commander';
import { shorten, wrong } from './library-arguments.ts';

const baseText =
  "the path below which the site is served; without it that of the site's last build, or /";
const siteText = "the site's address; from the last build without it";

/** For commands that read built pages. */
export function siteOptions(command: Command, folder = '<folder>'): Command {
  return command
    .argument(folder, 'folder of built HTML: dist, or dist/client for a site with an adapter')
    .option('--site <url>', siteText)
    .option('--base <path>', baseText)
    .option('--service <url>', "the service's address, for finding its download addresses")
    .addOption(
      new Option('--format <format>', 'how pages are named').choices([
        'directory',
        'file',
        'preserve',
      ]),
    )
    .addOption(
      new Option('--trailing-slash <rule>', 'how page addresses end').choices([
        'always',
        'never',
        'ignore',
      ]),
    )
    .option(
      '--exclude <glob>',
      'page paths to leave out; may be given several times',
      (glob: string, globs: string[] = []) => [...globs, glob],
    )
    .option('--json', 'print JSON');
}

/** For commands that read no pages. */
export function ledgerOptions(command: Command, { siteNamed = false } = {}): Command {
  const site = new Option('--site <url>', siteNamed ? "the site's address" : siteText);
  return command
    .addOption(site.makeOptionMandatory(siteNamed))
    .option('--base <path>', baseText)
    .option('--service <url>', "the service's address")
    .option('--json', 'print JSON');
}

/** For commands that read the ledger. */
export function stateOption(command: Command): Command {
  return command.option('--state <file>', 'the ledger; in .media-asset without it');
}

/** For commands that plan. */
export function runOptions(command: Command): Command {
  return stateOption(command)
    .option('--project <name>', 'the project that usages are reported for')
    .option('--contact <name>', 'the person responsible')
    .option('--allow-removals', 'send removals that the guard would hold');
}

/** For commands that send. */
export function sendOptions(command: Command): Command {
  return command
    .option('-y, --yes', 'send without asking')
    .addOption(
      new Option(
        '--time-limit <seconds>',
        'end cleanly after this time, and keep what is left for the next run',
      ).argParser(toSeconds),
    );
}

/** @throws `command-usage` */
export function toSeconds(value: string): number {
  const seconds = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || seconds <= 0 || seconds > 86_400) {
    wrong(`--time-limit ${shorten(value)} is no number of seconds (more than 0, at most 86400).`);
  }
  return seconds;
}

/** @throws `command-usage` */
export function toIds(value: string, ids: readonly number[] = []): number[] {
  const id = Number(value);
  if (!/^[1-9]\d*$/.test(value) || !Number.isSafeInteger(id)) {
    wrong(`--asset ${shorten(value)} is not an asset id.`);
  }
  return [...ids, id];
}

/** @throws `command-usage` */
export function toPort(value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) {
    wrong(`--port ${shorten(value)} is not a port (0 to 65535).`);
  }
  return port;
}
