import { mediaAssetError } from '../../errors/errors.ts';
import { countOf } from '../../errors/wording.ts';
import { openMediaService } from '../../service/open-media-service.ts';
import * as checks from '../doctor/checks.ts';
import { loadSiteConfig } from '../settings/load-site-config.ts';
import { reachService, readLastBuild, type ServiceFlags } from '../settings/site-settings.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';

type DoctorFlags = ServiceFlags & { readonly asset?: number };

export async function doctor(flags: DoctorFlags, terminal: Terminal): Promise<ExitCode> {
  const ofService: checks.Diagnosis[] = [];
  const options = await checks.check('options', async () => {
    const known = await readLastBuild(terminal);
    const { reached, settings } = reachService(flags, known);
    const site = await loadSiteConfig(terminal, known);
    const id = flags.asset;
    const further: checks.Diagnosis[] = [];
    if (site && !site.address)
      further.push(
        await checks.check('site', () =>
          Promise.reject(mediaAssetError('site-missing', undefined)),
        ),
      );
    const credentials = await checks.check('credentials', async () => {
      const client = openMediaService(
        reached,
        known.environment,
        ({ message, hint, severity: _, ...found }) =>
          further.push({ subject: 'records', ...checks.warning(message, hint), ...found }),
      );
      await client.folders.tree();
      further.push(await checks.checkServiceCrops(client, { id, settings }));
      if (site?.record)
        further.push(await checks.checkRecords(client, { ...site, rule: site.record, id }));
      return checks.ok('The service accepts them.');
    });
    ofService.push(credentials, ...further);
    const from = checks.credentialSources[reached.credentials.kind];
    return checks.ok(`The service is ${reached.baseUrl}, with credentials from ${from}.`);
  });
  const found: checks.Diagnosis[] = [options, ...ofService];
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

/** The state is a word, so that it's readable without colours. */
function diagnosisText(
  { subject, state, text, todo }: checks.Diagnosis,
  { paint }: Pick<Terminal, 'paint'>,
): string {
  const colour = { ok: paint.green, warning: paint.yellow, problem: paint.red }[state];
  const indent = ' '.repeat(23);
  return [
    `${colour(state.padEnd(8))} ${subject.padEnd(13)} ${text.replaceAll('\n', `\n${indent}`)}`,
    ...(todo === null ? [] : [`${indent}Fix: ${todo}`]),
  ].join('\n');
}
