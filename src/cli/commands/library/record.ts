import { type KnownRecord, readKnownRecord } from '../../../assets/records/records.ts';
import type { Verdict } from '../../../assets/records/verdict.ts';
import { ignoreOurs, isMediaAssetError, mediaAssetError } from '../../../errors/errors.ts';
import { oneLine } from '../../../errors/wording.ts';
import { createRecordReader } from '../../../service/read-records.ts';
import { openService, readLastBuild, type ServiceFlags } from '../../settings/find-service.ts';
import { loadSiteConfig } from '../../settings/load-site-config.ts';
import { withNulls } from '../../terminal/json-output.ts';
import { type Command, exitCodes, type Terminal } from '../../terminal/terminal.ts';

interface RecordFlags extends ServiceFlags {
  readonly locale?: string;
}

/** The interface names the first three. Services in the wild have the others, if not `all`. */
const usualFields = [
  ...['id', 'name', 'filename'],
  ...['type', 'filesize', 'width', 'height', 'uploaded', 'alttext', 'photographer', 'gdprStatus'],
];

export const record: Command<RecordFlags, [id: number]> = async (flags, terminal, id) => {
  const known = await readLastBuild(terminal);
  const { service } = openService(flags, known, { terminal });
  const config = await loadSiteConfig(terminal, known);
  const rule = config?.record;
  const asked = rule?.fields ?? usualFields;
  const found = (await createRecordReader(service, { fields: asked }).read([id])).get(id);
  if (!found) throw mediaAssetError('library-unknown', { what: 'asset', id });
  // The interface has `all` for folders. Services that have it for records too know more fields.
  const more = await service.files.record(id, { fields: ['all'] }).catch(ignoreOurs);
  const fields = { ...found.record.fields, ...more?.fields };
  const print = (read?: KnownRecord) => {
    const values = read ? withNulls({ ...read.record, state: read.verdict.state }) : null;
    const lines = read ? ['', `${config?.file}, record.read:`, ...readLines(read, terminal)] : [];
    terminal.print({ id, fields, ...(rule && { read: values }) }, () =>
      [...linesOf(fields, terminal), ...lines].join('\n'),
    );
  };
  try {
    const { locale } = flags;
    const rights = config?.rights ?? { unknown: 'allow', warnDays: 0 };
    const given = { id, fields: found.record.fields, locale, now: Date.now(), rights };
    print(rule && readKnownRecord(rule, given));
    return exitCodes.done;
  } catch (thrown) {
    if (isMediaAssetError(thrown, 'record-invalid')) print();
    throw thrown;
  }
};

const stateTexts: Readonly<Record<Verdict['state'], string>> = {
  allowed: 'allowed',
  ending: 'allowed, but not for long',
  forbidden: 'forbidden',
  unknown: 'unknown',
};

/** What pages get. Empty values are left out. */
function readLines({ record, verdict }: KnownRecord, terminal: Pick<Terminal, 'paint'>): string[] {
  const { rights: _, ...others } = record;
  const given = Object.entries({ ...others, rights: stateTexts[verdict.state] }).filter(
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
