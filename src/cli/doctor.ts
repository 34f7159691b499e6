import { join } from 'node:path';
import { countOf } from '../errors/wording.ts';
import type { Environment, ServiceSettings } from '../options.ts';
import { openMediaService } from '../service/open-media-service.ts';
import { type BuildRules, readBuildRules } from '../usage/build-rules.ts';
import { cacheFolder } from './cache-folder.ts';
import { checkHosts } from './check-hosts.ts';
import { checkCache, checkLedger, checkOrder, checkVersions } from './check-project.ts';
import { checkServiceCrops } from './check-service-crops.ts';
import { type Diagnosis, ok, problemOf, warning } from './diagnosis.ts';
import { foldText } from './fold-text.ts';
import { signInSettings } from './sign-in-settings.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';
import type { UsageFlags } from './usage-run.ts';
import { expiryText, identify } from './whoami.ts';

export interface DoctorFlags extends UsageFlags {
  /** The picture whose crops are compared. */
  readonly asset?: readonly number[];
  readonly cache?: string;
}

/** `media-asset doctor`: checks all that builds and commands need, and says what to do. */
export async function doctor(flags: DoctorFlags, terminal: Terminal): Promise<ExitCode> {
  const { directory } = terminal;
  const found: Diagnosis[] = await checkVersions(directory);
  let rules: BuildRules | undefined;
  try {
    rules = await readBuildRules(join(directory, '.media-asset/build.json'));
    const known = await signInSettings(flags, terminal);
    found.push(ok('options', `The service is ${known.settings.baseUrl}.`));
    found.push(...(await checkService({ ...known, rules }, flags)));
  } catch (thrown) {
    found.push(problemOf('options', thrown));
    found.push(
      warning('service', 'It was not asked for anything.', 'Put right what is wrong above.'),
    );
  }
  try {
    const folder = await cacheFolder(flags, terminal);
    found.push(await checkCache(folder));
  } catch (thrown) {
    found.push(problemOf('cache', thrown));
  }
  found.push(await checkLedger(flags, terminal), checkOrder(rules));

  const problems = found.filter(({ state }) => state === 'problem').length;
  const warnings = found.filter(({ state }) => state === 'warning').length;
  terminal.out(
    flags.json
      ? JSON.stringify({ version: 1, problems, warnings, checks: found }, undefined, 2)
      : [
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
    rules,
  }: { settings: ServiceSettings; environment: Environment; rules: BuildRules | undefined },
  { asset }: DoctorFlags,
): Promise<Diagnosis[]> {
  const hosts = await checkHosts(settings, { fetch, clock: Date.now });
  if (hosts.some(({ state }) => state === 'problem')) return hosts;
  const subject = 'credentials';
  try {
    const service = openMediaService(settings, environment);
    await service.folders.tree();
    const identity = await identify(settings, environment);
    const text = `${identity.source} (${identity.grant}); expires: ${expiryText(identity, Date.now())}.`;
    const built = rules?.service === service.baseUrl ? rules.settings : undefined;
    const crops = await checkServiceCrops(service, { id: asset?.[0], settings: built });
    return [...hosts, ok(subject, text), crops];
  } catch (thrown) {
    return [...hosts, problemOf(subject, thrown)];
  }
}

/** The state is a word, so that it is read without colours as well. */
function diagnosisText(
  { subject, state, text, todo }: Diagnosis,
  { paint, width }: Pick<Terminal, 'paint' | 'width'>,
): string {
  const colour = { ok: paint.green, warning: paint.yellow, problem: paint.red }[state];
  const indent = ' '.repeat(23);
  const lines = [
    `${colour(state.padEnd(8))} ${subject.padEnd(13)} ${text.replaceAll('\n', `\n${indent}`)}`,
    ...(todo === null ? [] : [`${indent}What to do: ${todo}`]),
  ];
  return foldText(lines.join('\n'), { width, indent });
}
