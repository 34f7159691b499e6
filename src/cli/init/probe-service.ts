import { customFormats } from '../../assets/geometry/custom-format-parameters.ts';
import { openCropCheck } from '../../assets/renditions/compare-crops.ts';
import type { Environment } from '../../config/options.ts';
import type { ServiceSettings } from '../../config/service-settings.ts';
import { isMediaAssetError } from '../../errors/errors.ts';
import { valueIn } from '../../service/field-proofs.ts';
import { openMediaService } from '../../service/open-media-service.ts';
import type { FilesRequest } from '../../service/requests.ts';
import { ServiceError, unlessTemporary } from '../../service/service-error.ts';
import type { FileRecord, Folder, MediaService } from '../../service/types.ts';

/** What a service's interface leaves open, as this service answers it. */
export interface ServiceFacts {
  readonly settings: ServiceSettings;
  /** The custom format whose crops are right, `local` if none is, `undefined` without an image. */
  readonly crops: keyof typeof customFormats | 'local' | undefined;
  /** An image of the service. */
  readonly image: FileRecord | undefined;
  /** The fields that its record has: their values, and how requests name them. */
  readonly fields: ReadonlyMap<string, { readonly name: string; readonly value: unknown }>;
  readonly listsUsages: boolean;
}

interface Probe {
  readonly settings: ServiceSettings;
  readonly environment: Environment;
  /** The image to try, instead of the first that is found. */
  readonly asset: number | undefined;
  /** Names of record fields that the service may have. */
  readonly fields: readonly string[];
}

/**
 * Asks a service for what its interface leaves open, in at most 10 requests: how it takes token
 * requests, how it answers downloads, what `w` and `h` mean, which fields records have, and whether it
 * lists usages.
 *
 * @throws what the service refuses the credentials with, and `service-unreachable`
 */
export async function probeService(probe: Probe): Promise<ServiceFacts> {
  const { settings, service, folders } = await signIn(probe);
  const image = await findImage({ service, folders }, probe);
  // An image that can't be decoded proves nothing.
  const check = image && (await openCropCheck(service, image.id).catch(unlessNoImage));
  const isKnown = probe.environment.MEDIA_ASSET_DOWNLOADS;
  return {
    settings: isKnown ? settings : { ...settings, downloads: check?.located ? 'url' : 'bytes' },
    image,
    fields: image ? await findFields(service, image, probe.fields) : new Map(),
    crops: check && (await findCropFormat(check)),
    listsUsages:
      image !== undefined &&
      (await service.usages.list(image.id).catch(unlessTemporary)) !== undefined,
  };
}

type CropTrial = Awaited<ReturnType<typeof openCropCheck>>;

function unlessNoImage(thrown: unknown): undefined {
  if (!isMediaAssetError(thrown, 'download-not-a-picture')) throw thrown;
}

/** Encodings that put no secret into a URL. */
const safeEncodings = ['form', 'json', 'basic'] as const;

/** What a person has set isn't tried in other ways. Each download says in which way it came. */
async function signIn({ settings, environment }: Probe) {
  const { MEDIA_ASSET_TOKEN_ENCODING, MEDIA_ASSET_TOKEN_PATH, MEDIA_ASSET_DOWNLOADS } = environment;
  const { tokenEncoding: set, tokenPath: path } = settings;
  const encodings = MEDIA_ASSET_TOKEN_ENCODING ? [set] : new Set([...safeEncodings, set]);
  const paths = MEDIA_ASSET_TOKEN_PATH ? [path] : new Set([path, '/oauth2/token']);
  const downloads = MEDIA_ASSET_DOWNLOADS ? settings.downloads : 'url';
  let missing: unknown;
  for (const tokenPath of paths) {
    let refused: unknown;
    for (const tokenEncoding of encodings) {
      const tried = { ...settings, tokenPath, tokenEncoding, downloads } as const;
      const service = openMediaService(tried, environment, () => undefined);
      try {
        return { settings: tried, service, folders: await service.folders.tree() };
      } catch (thrown) {
        if (!refused || !isUnread(thrown)) refused = thrown;
        if (!isUnread(thrown)) break;
      }
    }
    if (isUnread(refused) || !issuesNoTokens(refused)) throw refused;
    missing ??= refused;
  }
  throw missing;
}

/**
 * Whether a service may have refused a token request because it reads another encoding. One that names
 * the grant has read it, and more attempts could lock the account.
 */
function isUnread(thrown: unknown): boolean {
  if (!isMediaAssetError(thrown, 'credentials-refused', 'request-refused')) return false;
  if (!(thrown instanceof ServiceError)) return false;
  const hasRead = /invalid.?(grant|credential)|unauthorized.?client|password|refresh.?token/i;
  return [400, 401, 403, 415, 422].includes(thrown.status ?? 0) && !hasRead.test(thrown.answer);
}

/** Whether a service seems to issue tokens somewhere else. */
export function issuesNoTokens(thrown: unknown): boolean {
  const codes = ['request-refused', 'answer-html', 'answer-unexpected'] as const;
  return isMediaAssetError(thrown, ...codes) && thrown.message.includes('the token request');
}

/** An image's fields by name, and how requests spell them: some services only know lower case. */
async function findFields(
  { files }: MediaService,
  { id, fields: listed }: FileRecord,
  names: readonly string[],
): Promise<ServiceFacts['fields']> {
  const ask = async (fields: readonly string[]) =>
    (fields[0] && (await files.record(id, { fields }).catch(unlessTemporary))?.fields) || {};
  const keyIn = (fields: FileRecord['fields'], name: string) =>
    Object.keys(fields).find((key) => key.toLowerCase() === name.toLowerCase());
  const open = names.filter((name) => !keyIn(listed, name));
  const own = await ask([...new Set(open.flatMap((name) => [name, name.toLowerCase()]))]);
  const again = await ask(Object.keys(own).filter((key) => key !== key.toLowerCase()));
  const nameOf = (name: string) => {
    const inList = keyIn(listed, name);
    // The list has understood the name, however it writes it.
    if (inList) return inList === inList.toLowerCase() ? inList : name;
    return keyIn(again, name) ?? keyIn(own, name)?.toLowerCase();
  };
  return new Map(
    names.flatMap((known) => {
      const name = nameOf(known);
      return name ? [[known, { name, value: valueIn({ ...listed, ...own }, name) }] as const] : [];
    }),
  );
}

async function findImage(
  { service, folders }: Pick<Awaited<ReturnType<typeof signIn>>, 'service' | 'folders'>,
  { asset, fields }: Pick<Probe, 'asset' | 'fields'>,
): Promise<FileRecord | undefined> {
  if (asset !== undefined) return { id: asset, name: undefined, filename: undefined, fields: {} };
  const wanted = { folders, most: 1, maxFolders: 1, isWanted: isImage };
  const request = { fields: ['id', 'name', 'filename', ...fields] };
  // Services may refuse fields that they don't know.
  const found = await findFiles(service, { ...wanted, request }).catch(unlessTemporary);
  const [first] = found ?? (await findFiles(service, wanted));
  if (first) return first;
  // Libraries often have many folders without files.
  for await (const file of service.search('jpg', { ...(found && request), maxPages: 1 })) {
    if (isImage(file)) return file;
  }
  return undefined;
}

/** Judged by the file name, because records of most services say nothing about the kind. */
export function isImage({ filename, name }: FileRecord): boolean {
  return /\.(jpe?g|png|webp|avif|tiff?)$/i.test(filename ?? name ?? '');
}

/** The first files of the first folder that has any. */
export async function findFiles(
  service: Pick<MediaService, 'folders'>,
  wanted: {
    /** The folder tree, if it's known. */
    folders?: readonly Folder[];
    most: number;
    maxFolders?: number;
    request?: FilesRequest;
    isWanted?: (file: FileRecord) => boolean;
  },
): Promise<FileRecord[]> {
  const { folders = await service.folders.tree(), most, maxFolders = 50, request } = wanted;
  const found: FileRecord[] = [];
  for (const { id } of folders.slice(0, maxFolders)) {
    for await (const file of service.folders.files(id, request)) {
      if (wanted.isWanted?.(file) ?? true) found.push(file);
      if (found.length === most) break;
    }
    if (found.length > 0) break;
  }
  return found;
}

/** `undefined` if the image looks the same everywhere. */
export async function findCropFormat({ compare }: CropTrial): Promise<ServiceFacts['crops']> {
  for (const format of ['size', 'corners'] as const) {
    // A service may refuse what it doesn't understand.
    const found = await compare(customFormats[format]).catch(unlessTemporary);
    if (found?.agrees) return found.conclusive ? format : undefined;
  }
  return 'local';
}
