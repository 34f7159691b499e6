import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import * as z from 'zod';
import { listedRecords } from '../../../assets/records/records.ts';
import {
  type ImportPlan,
  planImport,
  writeImport,
} from '../../../authoring/import/import-sources.ts';
import { imageResolver, listImages } from '../../../authoring/import/local-images.ts';
import { isAssetId } from '../../../errors/asset-id.ts';
import { mediaAssetError } from '../../../errors/errors.ts';
import { formatPlace } from '../../../errors/place.ts';
import { countOf, oneLine } from '../../../errors/wording.ts';
import { hasBytes, sameFileFinder } from '../../../service/find-same-file.ts';
import { orMissing } from '../../../service/service-error.ts';
import { ignoreMissing } from '../../../storage/file-problems.ts';
import { writeOutput } from '../../../storage/replace-file.ts';
import { wrong } from '../../command-options.ts';
import { openService, readLastBuild, type ServiceFlags } from '../../settings/find-service.ts';
import { loadSiteConfig } from '../../settings/load-site-config.ts';
import { errorToJson } from '../../terminal/json-output.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import { type Command, exitCodes, type Terminal } from '../../terminal/terminal.ts';

interface ImportFlags extends ServiceFlags {
  readonly folder: number;
  readonly all?: boolean;
  readonly write?: boolean;
  readonly dryRun?: boolean;
}

const recordFile = 'media-import.json';

const recordSchema = (service: string) =>
  z.object({
    service: z.literal(service),
    images: z.record(z.string(), z.object({ id: z.custom<number>(isAssetId), hash: z.string() })),
  });

type State = 'uploaded' | 'there already' | 'imported before';

/** Uploads the images of a project, and makes its sources name their assets. Can be run again. */
export const importImages: Command<ImportFlags, [folders: readonly string[]]> = async (
  flags,
  terminal,
  folders,
) => {
  const { directory } = terminal;
  const images = await listImages(directory, folders);
  if (images.length === 0) wrong(`There are no images in ${folders.map(oneLine).join(', ')}.`);
  const resolve = imageResolver(images);
  const plan = await planImport(directory, resolve);
  const used = new Set(plan.images.map(({ path }) => path));
  const wanted = flags.all ? images : images.filter((path) => used.has(path));
  const unused = images.length - used.size;
  if (flags.dryRun) {
    terminal.print({ images: wanted, unused, files: filesOf(plan), left: leftOf(plan) }, () =>
      [
        ...wanted,
        `${countOf(wanted.length, 'image')} to import${unusedText(unused, flags)}.`,
        ...filesOf(plan).map((file) => `would change  ${file}`),
        ...leftLines(plan),
        'Nothing was uploaded or written.',
      ].join('\n'),
    );
    return exitCodes.done;
  }
  const states = await uploadAll(wanted, plan, { flags, terminal });
  const ids = new Map(states.map(({ path, id }) => [path, id]));
  const { written, failed } = flags.write
    ? await writeImport(plan, { ids, resolve })
    : { written: [], failed: [] };
  terminal.print(
    { images: states, unused, written, left: leftOf(plan), failed: failed.map(errorToJson) },
    () =>
      [
        ...states.map(({ path, id, state }) => `${path}  asset ${id}  ${state}`),
        `${countOf(states.length, 'image')} in the service${unusedText(unused, flags)}. ${recordFile} has the IDs.`,
        ...written.map((file) => `changed  ${file}`),
        ...failed.map(({ message, hint }) => `not changed: ${message} ${hint}`),
        ...(flags.write ? [] : [`--write changes ${countOf(plan.files.length, 'file')}.`]),
        ...leftLines(plan),
      ].join('\n'),
  );
  return failed.length > 0 ? exitCodes.error : exitCodes.done;
};

const filesOf = ({ files }: ImportPlan) => files.map(({ source }) => source.file);
const leftOf = ({ left }: ImportPlan) =>
  left.map(({ place, problem }) => ({ place: formatPlace(place), problem }));

function leftLines(plan: ImportPlan): string[] {
  return leftOf(plan).map(({ place, problem }) => `by hand  ${place}  ${problem}`);
}

function unusedText(unused: number, { all }: ImportFlags): string {
  return all || unused === 0
    ? ''
    : `; --all imports ${countOf(unused, 'image')} that no source names`;
}

/** Uploads one image at a time, and records each, so that an interrupted import goes on where it was. */
async function uploadAll(
  paths: readonly string[],
  plan: ImportPlan,
  { flags, terminal }: { flags: ImportFlags; terminal: Terminal },
) {
  const { folder } = flags;
  const { directory } = terminal;
  const known = await readLastBuild(terminal);
  const { service } = openService(flags, known, { terminal });
  const path = join(directory, recordFile);
  const record = await readRecord(path, service.baseUrl);
  const rule = (await loadSiteConfig(terminal, known))?.record;
  const rights = { unknown: 'allow', warnDays: 0 } as const;
  const altField = rule && listedRecords(rule, { rights, now: Date.now }).altField();
  const findSame = sameFileFinder(service, folder);
  const earlier = new Map(Object.values(record.images).map(({ hash, id }) => [hash, id]));
  /** Their originals may not be there to compare yet. */
  const fresh = new Map<string, number>();
  const progress = progressLine('Importing', terminal);
  const missing = { what: 'folder', id: folder } as const;
  const states: { path: string; id: number; state: State }[] = [];
  for (const [index, image] of paths.entries()) {
    progress({ done: index, total: paths.length });
    const bytes = await readFile(join(directory, image));
    const hash = createHash('sha256').update(bytes).digest('hex');
    const recorded = earlier.get(hash);
    // The service may have lost what an earlier import sent.
    const isThere = recorded !== undefined && (await hasBytes(service, recorded, hash));
    const known = fresh.get(hash) ?? (isThere ? recorded : undefined);
    const same =
      known ?? (await findSame({ hash, size: bytes.length }).catch(orMissing(missing)))?.id;
    const alt = plan.images.find((one) => one.path === image && one.alt)?.alt;
    const fields = {
      name: basename(image, extname(image)),
      ...(alt && altField && { [altField]: alt }),
    };
    // With fields, an upload without an ID fails.
    const upload = async () => service.files.upload(join(directory, image), { folder, fields });
    const id = same ?? ((await upload()).id as number);
    fresh.set(hash, id);
    record.images[image] = { id, hash };
    await writeOutput(path, `${JSON.stringify(record, null, 2)}\n`);
    const state = known ? 'imported before' : same ? 'there already' : 'uploaded';
    states.push({ path: image, id, state });
  }
  return states;
}

async function readRecord(path: string, service: string) {
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  try {
    return recordSchema(service).parse(
      text === undefined ? { service, images: {} } : JSON.parse(text),
    );
  } catch (cause) {
    throw mediaAssetError('import-record-broken', { file: recordFile, service }, { cause });
  }
}
