import { isMediaAssetError } from '../errors.ts';
import { checkCrops } from '../images/check-crops.ts';
import { customFormats } from '../images/custom-format-parameters.ts';
import type { FileRecord, MediaService } from '../service/media-service.ts';
import type { BuildRules } from '../usage/build-rules.ts';
import { type Diagnosis, ok, problem, problemOf, warning } from './diagnosis.ts';

const subject = 'crops';

/** Folders that are looked through for a picture. */
const mostFolders = 50;

const pictureName = /\.(jpe?g|png|webp|avif|tiff?)$/i;

/** Whether the service's crops are what the site asks for: one of them, next to our own. */
export async function checkServiceCrops(
  service: MediaService,
  { id: named, settings }: { id: number | undefined; settings: BuildRules['settings'] },
): Promise<Diagnosis> {
  const { crops, customFormat = 'size' } = settings ?? {};
  if (crops === 'local') return ok(subject, 'They are cut on this machine (crops: local).');
  if (customFormat === 'own') {
    const text = "The site writes the custom format's query itself, which only a build can check.";
    return ok(subject, text);
  }
  try {
    const id = named ?? (await findPicture(service))?.id;
    if (id === undefined) {
      const text = 'No picture was found to compare a crop of.';
      return warning(subject, text, 'Name one: media-asset doctor --asset <id>.');
    }
    const found = await checkCrops({
      service,
      id,
      customFormat: customFormats[customFormat],
    });
    if (found.agrees && found.conclusive) {
      return ok(subject, `A crop of asset ${id} by the service is that of its original.`);
    }
    if (found.agrees) {
      const text = `Asset ${id} looks the same everywhere: its crops prove nothing.`;
      return warning(subject, text, 'Name a picture with detail: media-asset doctor --asset <id>.');
    }
    const text = `The crop of asset ${id} is not what was asked for: ${found.expected} expected, ${found.received} received.`;
    return problem(subject, text, await wayOut(service, { id, customFormat }));
  } catch (thrown) {
    return problemOf(subject, thrown);
  }
}

async function wayOut(
  service: MediaService,
  { id, customFormat }: { id: number; customFormat: 'size' | 'corners' },
): Promise<string> {
  const other = customFormat === 'size' ? 'corners' : 'size';
  const local = "Set `crops: 'local'` in the integration's options: crops are then cut here.";
  try {
    const found = await checkCrops({ service, id, customFormat: customFormats[other] });
    return found.agrees && found.conclusive
      ? `Set \`customFormat: '${other}'\` in the integration's options: the service's crops are right then.`
      : local;
  } catch (thrown) {
    if (isMediaAssetError(thrown)) return local;
    throw thrown;
  }
}

async function findPicture(service: MediaService): Promise<FileRecord | undefined> {
  const folders = await service.folders.tree();
  for (const { id } of folders.slice(0, mostFolders)) {
    for await (const file of service.folders.files(id)) {
      if (pictureName.test(file.filename ?? file.name ?? '')) return file;
    }
  }
  return undefined;
}
