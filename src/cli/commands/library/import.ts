import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import * as z from 'zod';
import { altField as findAltField } from '../../../assets/records/records.ts';
import { planImport, writeImport } from '../../../authoring/import/import-sources.ts';
import { listImages, projectImages } from '../../../authoring/import/local-images.ts';
import { isAssetId } from '../../../errors/asset-id.ts';
import { mediaAssetError } from '../../../errors/errors.ts';
import { formatPlace } from '../../../errors/place.ts';
import { countOf, oneLine, parseJson } from '../../../errors/wording.ts';
import { sameFileFinder } from '../../../service/find-same-file.ts';
import { sha256 } from '../../../storage/digest.ts';
import { ignoreMissing } from '../../../storage/file-problems.ts';
import { underLease } from '../../../storage/lease.ts';
import { writeOutput } from '../../../storage/replace-file.ts';
import { fileStateStore, waitForLedger } from '../../../usage/ledger/open-state-store.ts';
import { wrong } from '../../command-options.ts';
import { assertInGit, buildFacts } from '../../import/build-twice.ts';
import { compareBuilds } from '../../import/compare-builds.ts';
import { loadSiteConfig } from '../../settings/load-site-config.ts';
import { openService, readLastBuild, type ServiceFlags } from '../../settings/site-settings.ts';
import { progressLine } from '../../terminal/progress-line.ts';
import type { Command, Terminal } from '../../terminal/terminal.ts';

interface ImportFlags extends ServiceFlags {
  readonly folder: number;
  readonly all?: boolean;
  readonly write?: boolean;
  readonly dryRun?: boolean;
  /** @default true */
  readonly check?: boolean;
  readonly force?: boolean;
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
  const found = await listImages(directory, folders);
  if (found.length === 0) wrong(`There are no images in ${folders.map(oneLine).join(', ')}.`);
  const project = await projectImages(directory, found);
  const plan = await planImport(directory, project);
  const used = new Set(plan.names.map(({ path }) => path));
  const wanted = flags.all ? found : found.filter((path) => used.has(path));
  const unused = found.length - used.size;
  const files = plan.files.map(({ source }) => source.file);
  const isWritten = flags.write === true && !flags.dryRun;
  const isChecked = isWritten && flags.check !== false && files.length > 0;
  if (isWritten && !flags.force) await assertInGit(terminal, files);
  const progress = progressLine('Building', terminal);
  const build = async (when: 'before' | 'after', done: number) => {
    progress({ done, total: 3 });
    return buildFacts(terminal, when);
  };
  const before = isChecked
    ? ([await build('before', 0), await build('before', 1)] as const)
    : undefined;
  const texts = plan.files.flatMap(({ images }) => images);
  const images: { path: string; id?: number; state?: State }[] = flags.dryRun
    ? wanted.map((path) => ({ path }))
    : await underLease(lockRecord(terminal), ({ renew }) =>
        uploadAll(wanted, texts, { flags, terminal, renew }),
      );
  const ids = new Map(images.flatMap(({ path, id }) => (id ? [[path, id]] : [])));
  const left = plan.left.map(({ path, replacement, ...one }) => {
    return { ...one, image: path, replacement: path && replacement?.(ids.get(path) ?? '…') };
  });
  const changed = isWritten ? await writeImport(plan, { ids, project }) : undefined;
  const written = changed?.files ?? [];
  const after =
    before &&
    (await build('after', 2).catch(async (thrown) => {
      await changed?.takeBack();
      throw thrown;
    }));
  // Not known without builds, or if an adapter writes elsewhere.
  const differences = before && after?.size ? compareBuilds(before, after) : null;
  if (after?.size === 0)
    terminal.note('The builds can’t be compared: an adapter writes elsewhere.');
  const more = flags.all || unused === 0 ? '' : `; --all imports ${countOf(unused, 'image')} more`;
  const end = flags.dryRun ? 'Nothing was uploaded or written.' : `${recordFile} has the IDs.`;
  terminal.print({ images, unused, files, written, left, differences }, () =>
    [
      ...images.map(({ path, id, state }) => (id ? `${path}  asset ${id}  ${state}` : path)),
      `${countOf(images.length, 'image')}${more}. ${end}`,
      ...files.map((file) => `${isWritten ? 'changed' : '--write changes'}  ${file}`),
      ...left.map(({ place, image, replacement, problem }) =>
        [
          'by hand',
          formatPlace(place),
          ...(image ? [`${image} → ${replacement}`] : []),
          problem,
        ].join('  '),
      ),
      ...(differences ?? []).map(({ file, kind, before, after }) =>
        ['differs', file, `${kind}: ${listOf(before)} → ${listOf(after)}`].map(oneLine).join('  '),
      ),
      ...(after?.size ? [`${countOf(after.size, 'file')} compared with the build before.`] : []),
    ].join('\n'),
  );
};

const listOf = (values: readonly string[]) => values.join('; ') || 'none';

/** Two imports at once would upload each image twice. */
function lockRecord({ directory, note }: Terminal) {
  const store = fileStateStore({ path: join(directory, recordFile) });
  return waitForLedger(store, { onWait: note }).lock();
}

/** Uploads one image at a time, and records each, so that an interrupted import goes on where it was. */
async function uploadAll(
  paths: readonly string[],
  texts: readonly { readonly path: string; readonly alt: string }[],
  { flags, terminal, renew }: { flags: ImportFlags; terminal: Terminal; renew(): Promise<void> },
) {
  const { folder } = flags;
  const { directory } = terminal;
  const known = await readLastBuild(terminal);
  const service = await openService(flags, terminal, known);
  const path = join(directory, recordFile);
  const record = await readRecord(path, service.baseUrl);
  const config = await loadSiteConfig(terminal, known);
  const altField = config?.record && findAltField(config.record, config.languages.all[0]);
  const sent = sameFileFinder(service, folder);
  const earlier = new Map(Object.values(record.images).map(({ hash, id }) => [hash, id]));
  /** Their originals may not be there to compare yet. */
  const fresh = new Map<string, number>();
  const progress = progressLine('Importing', terminal);
  const states: { path: string; id: number; state: State }[] = [];
  for (const [index, image] of paths.entries()) {
    progress({ done: index, total: paths.length });
    await renew();
    const bytes = await readFile(join(directory, image));
    const hash = sha256(bytes);
    const recorded = earlier.get(hash);
    // The service may have lost what an earlier import sent.
    const isThere = recorded !== undefined && (await sent.stillHas(recorded, hash));
    const known = fresh.get(hash) ?? (isThere ? recorded : undefined);
    const same = known ?? (await sent.find({ hash, size: bytes.length }))?.id;
    const alt = texts.find((one) => one.path === image && one.alt)?.alt;
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
  if (text === undefined) return { service, images: {} };
  return parseJson(text, recordSchema(service), (_problem, cause) =>
    mediaAssetError('import-record-broken', { file: recordFile, service }, { cause }),
  );
}
