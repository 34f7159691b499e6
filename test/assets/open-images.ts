import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAssets } from '../../src/assets/assets.ts';
import type { AssetsOptions } from '../../src/assets/assets-options.ts';
import { findRenditions } from '../../src/assets/formats/rendition-url.ts';
import type { EmitRequest } from '../../src/assets/renditions/emit-renditions.ts';
import { askingOf } from '../../src/assets/request/asking.ts';
import type {
  MediaAssetRequest,
  MediaCreditRequest,
} from '../../src/assets/request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from '../../src/assets/request/media-file.ts';
import { readFacts } from '../../src/assets/store/asset-facts.ts';
import { assetFolders, removeFolder } from '../../src/assets/store/asset-folder.ts';
import type { Finding, MediaAssetError } from '../../src/errors/errors.ts';
import { createMediaService, type MediaServiceOptions } from '../../src/service/index.ts';
import type { MediaService } from '../../src/service/types.ts';
import { failureOf, type Respond } from '../service/scripted-service.ts';
import { defaultOptions } from '../support/images/default-options.ts';
import { drawTestImage, type TestImage } from '../support/images/test-images.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import type { EmulatorProcess } from '../support/service/emulator-process.ts';
import { startService } from '../support/service/start-service.ts';

export { startService };

export function emulatorClient(
  { url }: { url: string },
  options: Partial<MediaServiceOptions> = {},
): MediaService {
  return createMediaService({
    baseUrl: url,
    clientId: 'emulator',
    clientSecret: 'emulator-secret',
    credentials: { kind: 'password', username: 'editor', password: 'harbour' },
    sleep: async () => {},
    ...options,
  });
}

/** The downloads since the last call, as `status path?query`. */
export function takeDownloads(emulator: EmulatorProcess): string[] {
  const seen = emulator
    .log()
    .filter(({ path }) => path.includes('/download/'))
    .map(({ status, path, query }) => `${status} ${path}${query && `?${query}`}`);
  emulator.clearLog();
  return seen;
}

/** A new cache folder that is deleted after the test. */
export const cacheFolder = (): Promise<string> => temporaryFolder('images');

/** An asset, or a part of one. */
interface Published {
  readonly renditions: readonly { readonly url: string }[];
}

export type TestImages = ReturnType<typeof openImages>;

/** The images of one run. */
export function openImages(
  options: Partial<AssetsOptions> & Pick<AssetsOptions, 'service' | 'cacheDir'>,
) {
  const findings: Finding[] = [];
  const toUrl = (path: string) => `/_astro/${path}`;
  const { pages, publisher, people } = createAssets({
    ...defaultOptions,
    crops: 'service',
    delivery: 'static',
    mode: 'build',
    toUrl,
    onFinding: (found) => findings.push(found),
    ...options,
  });

  const { languages } = { ...defaultOptions, ...options };
  const asking = (request: MediaCreditRequest) =>
    askingOf(request, { languages, caller: 'getMediaAsset()' });
  const getMediaAsset = (request: MediaAssetRequest) =>
    pages.getMediaAsset(request, asking(request));
  /** As a build of these pages decides, if the test doesn't. */
  const emit = (request: Partial<EmitRequest> & Pick<EmitRequest, 'addresses' | 'write'>) =>
    publisher.emit({
      assets: request.addresses.map(({ address: { id }, page }) => ({ id, page })),
      languagesOf: (page) => languages.ofFile(fileOf(page)),
      ...request,
    });

  /** An asset on `/page/`. */
  const show = (id: number, props: Partial<MediaAssetRequest> = {}) =>
    getMediaAsset({ id, alt: '', page: '/page/', ...props });

  /** Publishes the renditions of these assets, as a build would. The files' bytes by URL. */
  async function publish(...assets: Published[]) {
    const files = new Map<string, Uint8Array>();
    const found = await emit({
      addresses: addressesOf(...assets),
      write: async (path, content) => void files.set(toUrl(path), await bytesOf(content)),
    });
    findings.push(...found);
    await publisher.save();
    await publisher.tidy();
    return files;
  }

  /** Publishes one asset in all its forms: its files, and the bytes of its `src`. */
  async function publishOne(id: number, props?: Partial<MediaAssetRequest>) {
    const asset = await show(id, props);
    const files = await publish(asset, ...asset.sources);
    return { asset, files, bytes: files.get(asset.src) ?? new Uint8Array() };
  }

  return {
    ...{ ...pages, ...publisher, ...people },
    ...{ pages, getMediaAsset, emit },
    getMediaCredit: (request: MediaCreditRequest) => pages.getMediaCredit(asking(request)),
    /** With credentials, it returns a file or throws. */
    getMediaFile: (request: MediaFileRequest) =>
      pages.getMediaFile(request, asking(request)) as Promise<MediaFile>,
    missingImage: (request: MediaAssetRequest, error: MediaAssetError) =>
      pages.missingImage(request, asking(request), error),
    ...{ show, findings, publish, publishOne },
  };
}

/** The built file of a page. */
const fileOf = (page: string) => page.slice(1).replace(/(^|\/)$/, '$1index.html');

/** A site with a cache of its own. `open` starts a run, and `next` one that has checked its assets. */
export async function openSite(
  service: { url: string },
  client: Partial<MediaServiceOptions> = {},
  given: Partial<AssetsOptions> = {},
) {
  const cacheDir = await cacheFolder();
  const open = (options: Partial<AssetsOptions> = {}) =>
    openImages({ service: emulatorClient(service, client), cacheDir, ...given, ...options });
  const next = async (options?: Partial<AssetsOptions>) => {
    const images = open(options);
    await images.checkUsed();
    return images;
  };
  return { cacheDir, open, next };
}

/** The images of a run without a cache. */
export async function newBuild(service: { url: string }, options: Partial<AssetsOptions> = {}) {
  return (await openSite(service)).open(options);
}

/** Answers every request with these bytes, or with 304 to their ETag. */
export function give(bytes: Buffer, etag = `"${bytes.length}"`): Respond {
  return (response, { headers }) => {
    if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(bytes);
  };
}

export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return (await failureOf(work)).code;
}

/** All written pieces as one. */
async function bytesOf(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The renditions of assets, as named by a built page. */
export function addressesOn(page: string, ...assets: Published[]) {
  const urls = assets.flatMap(({ renditions }) => renditions.map(({ url }) => url));
  return findRenditions(urls.join('\n')).map((address) => ({ address, page }));
}

export const addressesOf = (...assets: Published[]) => addressesOn('/page/', ...assets);

/** The content of every file below a folder, by path. */
export async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path, await readFile(path)] as const;
      }),
    ),
  );
}

/** The content of the files in a cache folder, except facts. */
export async function contentsOf(cacheDir: string): Promise<Buffer[]> {
  return [...(await filesBelow(join(cacheDir, 'v3'))).entries()]
    .filter(([path]) => !path.endsWith('.json'))
    .map(([, bytes]) => bytes);
}

/** What pages may name, as the cache knows it, by asset and key. */
export function issuedIn(cacheDir: string) {
  const folders = assetFolders(cacheDir);
  return folders.flatMap(({ id, path }) =>
    Object.entries(readFacts(path)?.issued ?? {}).map(([key, entry]) => ({ id, key, ...entry })),
  );
}

/** Deletes all bytes from a cache folder. What is known of them stays. */
export async function removeContents(cacheDir: string): Promise<void> {
  for (const path of (await filesBelow(cacheDir)).keys())
    if (!path.endsWith('.json')) await rm(path);
}

/** Deletes the folder of an asset. */
export async function forgetAsset(cacheDir: string, id: number): Promise<void> {
  for (const folder of assetFolders(cacheDir))
    if (folder.id === id) await removeFolder(folder.path);
}

export async function replaceAsset(
  { mediaDir }: EmulatorProcess,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  await writeFile(join(mediaDir, path), bytes);
}

/** Replaces an asset by a test image. */
export async function redraw(emulator: EmulatorProcess, picture: TestImage): Promise<void> {
  await replaceAsset(emulator, picture.path, await drawTestImage(picture));
}

export async function deleteAsset({ mediaDir }: EmulatorProcess, path: string): Promise<void> {
  await rm(join(mediaDir, path));
}
