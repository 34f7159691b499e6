import { oneLine } from '../../../errors/wording.ts';
import type { FileMetadata } from '../../../service/requests.ts';
import { orMissing } from '../../../service/service-error.ts';
import { showArgument, wrong } from '../../command-options.ts';
import { openService, type ServiceFlags } from '../../settings/site-settings.ts';
import { type Command, exitCodes } from '../../terminal/terminal.ts';

export const update: Command<ServiceFlags, [id: number, pairs: readonly string[]]> = async (
  flags,
  terminal,
  id,
  pairs,
) => {
  const metadata = readMetadataPairs(pairs);
  const service = await openService(flags, terminal);
  const record = await service.files.update(id, metadata).catch(orMissing({ what: 'asset', id }));
  const changed = Object.keys(metadata);
  terminal.print(
    { id, changed, record: record?.fields ?? null },
    () => `Asset ${id} has changed: ${changed.map(oneLine).join(', ')}.`,
  );
  return exitCodes.done;
};

/** Reads metadata from arguments: `name=text`, or `name:=json` for other JSON. */
export function readMetadataPairs(pairs: readonly string[]): FileMetadata {
  const fields = new Map<string, unknown>();
  for (const pair of pairs) {
    const [, name, isJson, text = ''] = /^([^=]*?)(:?)=(.*)$/s.exec(pair) ?? [];
    if (!name || name !== name.trim())
      wrong(`${showArgument(pair)} isn't a pair. Write key=value, without spaces around the key.`);
    if (fields.has(name)) wrong(`The key ${showArgument(name)} is given twice.`);
    fields.set(name, isJson ? readJson(name, text) : text);
  }
  return Object.fromEntries(fields);
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return wrong(`The value of ${showArgument(`${name}:=`)} isn't JSON: ${showArgument(text)}.`);
  }
}
