import type { Command } from 'commander';
import type { RecordRule } from '../../assets/records/records.ts';
import type { Environment } from '../../config/options.ts';
import type { ServiceSettings } from '../../config/service-settings.ts';
import { countOf } from '../../errors/wording.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import {
  example,
  ledgerOptions,
  stateOption,
  type ToAction,
  toAssetIds,
} from '../command-options.ts';
import { type Diagnosis, ok, problemOf, warning } from '../doctor/diagnosis.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';
import type { UsageFlags } from '../usage/usage-run.ts';

interface DoctorFlags extends UsageFlags {
  readonly asset?: readonly number[];
  readonly cache?: string;
}

export function declareDoctor(program: Command, run: ToAction): void {
  stateOption(ledgerOptions(program.command('doctor')))
    .description(
      'Check options, credentials, service, crops, records, cache and ledger, and suggest fixes.',
    )
    .option(
      '--asset <id>',
      'image for the checks of crops and records (default: the first that is found)',
      toAssetIds,
    )
    .option('--cache <folder>', "the integration's cache folder (default: the last build's)")
    .addHelpText('after', example('media-asset doctor', 'media-asset doctor --asset 4711 --json'))
    .action(run(doctor, { loadsConfig: true }));
}

async function doctor(flags: DoctorFlags, terminal: Terminal): Promise<ExitCode> {
  const { findCacheFolder } = await import('../settings/find-cache-folder.ts');
  const { checkCache, checkLedger, checkVersions } = await import('../doctor/check-project.ts');
  const { loadSiteConfig } = await import('../settings/load-site-config.ts');
  const { signInSettings } = await import('../settings/sign-in-settings.ts');
  const { directory } = terminal;
  const found: Diagnosis[] = await checkVersions(directory);
  try {
    const known = await signInSettings(flags, terminal);
    const config = await loadSiteConfig(terminal);
    found.push(ok('options', `The service is ${known.settings.baseUrl}.`));
    found.push(...(await checkService({ ...known, record: config?.record }, flags)));
  } catch (thrown) {
    found.push(problemOf('options', thrown));
    found.push(warning('service', 'Skipped.', 'Fix the problems above.'));
  }
  try {
    const folder = await findCacheFolder(flags, terminal);
    found.push(await checkCache(folder));
  } catch (thrown) {
    found.push(problemOf('cache', thrown));
  }
  found.push(await checkLedger(flags, terminal));

  const problems = found.filter(({ state }) => state === 'problem').length;
  const warnings = found.filter(({ state }) => state === 'warning').length;
  terminal.print({ problems, warnings, checks: found }, () =>
    [
      ...found.map((one) => diagnosisText(one, terminal)),
      '',
      `${countOf(problems, 'problem')}, ${countOf(warnings, 'warning')}.`,
    ].join('\n'),
  );
  return problems > 0 ? exitCodes.error : exitCodes.done;
}

async function checkService(
  {
    settings,
    environment,
    built,
    record,
  }: {
    settings: ServiceSettings;
    environment: Environment;
    built: BuildRules['settings'];
    record: RecordRule | undefined;
  },
  { asset }: DoctorFlags,
): Promise<Diagnosis[]> {
  const { openMediaService } = await import('../../service/open-media-service.ts');
  const { checkHosts, checkServiceCrops } = await import('../doctor/check-service.ts');
  const { checkRecords } = await import('../doctor/check-records.ts');
  const { expiryText, identify } = await import('../settings/sign-in-settings.ts');
  const hosts = await checkHosts(settings);
  if (hosts.some(({ state }) => state === 'problem')) return hosts;
  const subject = 'credentials';
  try {
    const service = openMediaService(settings, environment, ({ message, hint }) =>
      hosts.push(warning('records', message, hint)),
    );
    await service.folders.tree();
    const identity = await identify(settings, environment);
    const text = `${identity.source} (${identity.grant}); expires: ${expiryText(identity, Date.now())}.`;
    const [id] = asset ?? [];
    const checks = [ok(subject, text), await checkServiceCrops(service, { id, settings: built })];
    if (record) checks.push(await checkRecords(service, { rule: record, id }));
    return [...hosts, ...checks];
  } catch (thrown) {
    return [...hosts, problemOf(subject, thrown)];
  }
}

/** The state is a word, so that it's readable without colours. */
function diagnosisText(
  { subject, state, text, todo }: Diagnosis,
  { paint }: Pick<Terminal, 'paint'>,
): string {
  const colour = { ok: paint.green, warning: paint.yellow, problem: paint.red }[state];
  const indent = ' '.repeat(23);
  return [
    `${colour(state.padEnd(8))} ${subject.padEnd(13)} ${text.replaceAll('\n', `\n${indent}`)}`,
    ...(todo === null ? [] : [`${indent}Fix: ${todo}`]),
  ].join('\n');
}
