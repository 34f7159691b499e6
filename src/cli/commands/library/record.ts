import { type KnownRecord, readKnownRecord, requestOf } from '../../../assets/records/records.ts';
import { inLanguage } from '../../../assets/request/asking.ts';
import { ignoreOurs, isMediaAssetError, mediaAssetError } from '../../../errors/errors.ts';
import { oneLine } from '../../../errors/wording.ts';
import { createRecordReader } from '../../../service/read-records.ts';
import { loadSiteConfig } from '../../settings/load-site-config.ts';
import { openService, readLastBuild, type ServiceFlags } from '../../settings/site-settings.ts';
import { withNulls } from '../../terminal/json-output.ts';
import type { Command, Terminal } from '../../terminal/terminal.ts';

interface RecordFlags extends ServiceFlags {
  readonly fields?: readonly string[];
  readonly locale?: string;
}

/** The interface names the first three. Services in the wild have the others, if not `all`. */
const usualFields = [
  ...['id', 'name', 'filename'],
  ...['type', 'filesize', 'width', 'height', 'uploaded', 'alttext', 'photographer', 'gdprStatus'],
];

export const record: Command<RecordFlags, [id: number]> = async (flags, terminal, id) => {
  const known = await readLastBuild(terminal);
  const service = await openService(flags, terminal, known);
  const config = await loadSiteConfig(terminal, known);
  const rule = config?.record;
  const request = rule ? requestOf(rule) : { fields: usualFields };
  const asked = [...new Set([...(flags.fields ?? []), ...request.fields])];
  const reader = createRecordReader(service, { ...request, fields: asked });
  const found = (await reader.read([id])).get(id);
  if (!found) throw mediaAssetError('library-unknown', { what: 'asset', id });
  // The interface has `all` for folders. Services that have it for records too know more fields.
  const all = { fields: ['all'] };
  const more = flags.fields ? undefined : await service.files.record(id, all).catch(ignoreOurs);
  const fields = withNulls({ ...found.record.fields, ...more?.fields }, ...(flags.fields ?? []));
  const print = (read?: KnownRecord) => {
    const values = read ? withNulls({ ...read.record, ...read.verdict }) : null;
    const lines = read ? ['', `${config?.file} reads:`, ...readLines(read, terminal)] : [];
    terminal.print({ id, fields, ...(rule && { read: values }) }, () =>
      [...linesOf(fields, terminal), ...lines].join('\n'),
    );
  };
  try {
    const { languages } = config ?? {};
    const use =
      languages && inLanguage(languages.ofName(flags.locale ?? ''), flags.locale, languages);
    const given = { id, known: found.record, now: Date.now() + service.clockAhead() };
    print(rule && use && readKnownRecord(rule, { languages, ...use, ...given }));
  } catch (thrown) {
    if (isMediaAssetError(thrown, 'record-invalid')) print();
    throw thrown;
  }
};

/** What pages get. Empty values are left out. */
function readLines({ record, verdict }: KnownRecord, terminal: Pick<Terminal, 'paint'>): string[] {
  const { state, until, reason } = verdict;
  const shown = state === 'ending' ? 'allowed, but not for long' : state;
  const rights = `${shown}${reason ? ` (${reason})` : ''}`;
  const given = Object.entries({ ...record, rights, until }).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  const texts = given.map(([key, value]) => [key, Array.isArray(value) ? value.join('; ') : value]);
  return linesOf(Object.fromEntries(texts), terminal);
}

function linesOf(
  values: Readonly<Record<string, unknown>>,
  { paint }: Pick<Terminal, 'paint'>,
): string[] {
  const width = Math.max(...Object.keys(values).map((name) => name.length)) + 2;
  return Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${paint.dim(oneLine(name).padEnd(width))}${oneLine(text)}`;
  });
}
