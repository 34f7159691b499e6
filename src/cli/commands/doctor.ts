import type { RecordRule } from '../../assets/records/records.ts';
import type { Environment } from '../../config/options.ts';
import { countOf } from '../../errors/wording.ts';
import { openMediaService } from '../../service/open-media-service.ts';
import {
  check,
  checkRecords,
  checkServiceCrops,
  type Diagnosis,
  ok,
  signInText,
  warning,
} from '../doctor/checks.ts';
import { findVariables } from '../init/probe-service.ts';
import { reachService, readLastBuild, type ServiceFlags } from '../settings/find-service.ts';
import { loadSiteConfig } from '../settings/load-site-config.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';

interface DoctorFlags extends ServiceFlags {
  readonly asset?: readonly number[];
}

export async function doctor(flags: DoctorFlags, terminal: Terminal): Promise<ExitCode> {
  const ofService: Diagnosis[] = [];
  const options = await check('options', async () => {
    const known = await readLastBuild(terminal);
    const service = reachService(flags, known);
    const rule = (await loadSiteConfig(terminal, known))?.record;
    const id = flags.asset?.[0];
    ofService.push(...(await checkService(known.environment, { ...service, rule, id })));
    return ok(`The service is ${service.reached.baseUrl}.`);
  });
  const found: Diagnosis[] = [options, ...ofService];
  if (ofService.length === 0) {
    found.push({ subject: 'service', ...warning('Skipped.', 'Fix the problems above.') });
  }
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
  environment: Environment,
  {
    reached: settings,
    settings: built,
    rule,
    id,
  }: ReturnType<typeof reachService> & { rule: RecordRule | undefined; id: number | undefined },
): Promise<Diagnosis[]> {
  const signIn = await check('sign-in', async () => ok(await signInText(settings, environment)));
  if (signIn.state === 'problem') return [signIn];
  const further: Diagnosis[] = [];
  const credentials = await check('credentials', async () => {
    const service = openMediaService(settings, environment, ({ message, hint }) =>
      further.push({ subject: 'records', ...warning(message, hint) }),
    );
    await service.folders.tree();
    further.push(await checkServiceCrops(service, { id, settings: built }));
    if (rule) further.push(await checkRecords(service, { rule, id }));
    return ok('The service accepts them.');
  });
  const found = [signIn, credentials, ...further];
  if (!found.some(({ state }) => state === 'problem')) return found;
  const variables = await findVariables({ settings, environment, asset: id, fields: [] });
  if (variables.length === 0) return found;
  const todo = `Set ${variables.join(' and ')}.`;
  const answers = warning('The service answers in another way.', todo);
  return [...found, { subject: 'answers', ...answers }];
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
