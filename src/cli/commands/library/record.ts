import type { Command } from 'commander';
import { mediaAssetError } from '../../../errors/errors.ts';
import { oneLine } from '../../../errors/wording.ts';
import {
  example,
  libraryOptions,
  type ToAction,
  toAssetId,
  toFields,
} from '../../command-options.ts';
import type { LibraryFlags } from '../../settings/open-service.ts';
import { type ExitCode, exitCodes, type Terminal } from '../../terminal/terminal.ts';

interface RecordFlags extends LibraryFlags {
  readonly fields?: readonly string[];
}

export function declareRecord(program: Command, run: ToAction): void {
  libraryOptions(program.command('record'))
    .description("Show an asset's record: the fields that the service keeps about it.")
    .argument('<id>', 'asset ID', toAssetId)
    .option(
      '--fields <names>',
      'fields to show, separated by commas (default: the usual ones)',
      toFields,
    )
    .addHelpText(
      'after',
      example('media-asset record 4711', 'media-asset record 4711 --fields name,alttext,credit'),
    )
    .action(run(record));
}

/** The interface names the first three. Services in the wild have the others. */
const usualFields = [
  ...['id', 'name', 'filename'],
  ...['type', 'filesize', 'width', 'height', 'uploaded', 'alttext', 'photographer', 'gdprStatus'],
];

async function record(flags: RecordFlags, terminal: Terminal, id: number): Promise<ExitCode> {
  const { createRecordReader } = await import('../../../service/read-records.ts');
  const { openLibrary } = await import('../../settings/open-service.ts');
  const { service } = await openLibrary(flags, terminal);
  const fields = flags.fields ?? usualFields;
  const found = (await createRecordReader(service, { fields }).read([id])).get(id);
  if (!found) throw mediaAssetError('library-unknown', { what: 'asset', id });
  const { fields: values } = found.record;
  terminal.print({ id, fields: values }, () => recordText(values, terminal));
  return exitCodes.done;
}

function recordText(
  fields: Readonly<Record<string, unknown>>,
  { paint }: Pick<Terminal, 'paint'>,
): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length)) + 2;
  return Object.entries(fields)
    .map(([name, value]) => `${paint.dim(oneLine(name).padEnd(width))}${valueText(value)}`)
    .join('\n');
}

function valueText(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}
