import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { LoggedRequest } from '../../../src/emulator/request-log.ts';
import { drawTestImages } from '../images/test-images.ts';
import {
  type EmulatorProcessOptions,
  startEmulatorProcess,
  type UsageRow,
} from '../service/emulator-process.ts';
import { createSite, type Run, type Variables } from './site.ts';

/** A fixture site and the emulator that its images come from. */
export type SiteWithService = Awaited<ReturnType<typeof openSiteWithService>>;

/** The state of the site and the service. */
export interface Snapshot {
  readonly site: string;
  readonly media: string;
  /** The change of the media folder that it was taken after. */
  readonly change: number;
  readonly usages: readonly UsageRow[];
}

/** Assets 4711 to 4714, in order. The ship is stored like a photograph of a phone held upright. */
const pictures = [
  { path: 'harbour.jpg', width: 640, height: 480 },
  { path: 'quay.png', width: 640, height: 480, seed: 1 },
  { path: 'ship.jpg', width: 480, height: 640, seed: 2, orientation: 6 },
  { path: 'tower.jpg', width: 800, height: 600, seed: 3 },
];

export async function openSiteWithService(
  fixture: string,
  {
    files = {},
    ...settings
  }: EmulatorProcessOptions & {
    /** More assets, by name. IDs follow the order of all names. */
    files?: Readonly<Record<string, Uint8Array>>;
  } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'site-with-service-'));
  const media = join(folder, 'media');
  await drawTestImages(pictures, media);
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(media, name)), { recursive: true });
    await writeFile(join(media, name), bytes);
  }
  const options = { ...settings, media, data: join(folder, 'data') };
  let emulator = await startEmulatorProcess(options);
  const site = await createSite(fixture, { sharedAstro: true });
  const environment = { ...emulator.env };
  const reporting = { ...environment, MEDIA_ASSET_REPORT: 'always' };
  let seen = 0;
  let stopped = false;
  let changes = 0;
  /** The change of the media folder that its files are from. */
  let change = 0;
  const changeMedia = <T>(work: Promise<T>): Promise<T> => {
    changes += 1;
    change = changes;
    return work;
  };
  const startService = async () => {
    emulator = await startEmulatorProcess({ ...options, port: emulator.port });
    stopped = false;
  };
  const snapshot = async (): Promise<Snapshot> => {
    const kept = await mkdtemp(join(folder, 'snapshot-'));
    const copies = { site: join(kept, 'site'), media: join(kept, 'media') };
    await copyInto(site.dir, copies.site);
    await copyInto(media, copies.media);
    return { ...copies, change, usages: emulator.usageRows() };
  };
  const opened = await snapshot();
  const command = (...words: string[]) => site.command(environment, ...words);
  return {
    get emulator() {
      return emulator;
    },
    site,
    /**
     * Builds the site with the emulator's credentials, and reports. Builds run one after another in one
     * process: see `runSharedAstro`.
     */
    build: (variables?: Variables, ...words: string[]) =>
      site.build({ ...reporting, ...variables }, ...words),
    /** Like `build`, but always in a new process, which only knows what is on disk. */
    buildAlone: (variables?: Variables) => site.buildAlone({ ...reporting, ...variables }),
    /** Runs `media-asset` in the site's folder with the emulator's credentials, in this process. */
    command,
    /** The exit code of a command, and its data. */
    async data(...words: string[]) {
      const { exitCode, stdout } = await command(...words, '--json');
      return { exitCode, ...JSON.parse(stdout) };
    },
    /** The service's usages as `id page`, sorted. A pair that it lists twice appears twice. */
    pairs: () =>
      emulator
        .usages()
        .map(({ asset, page }) => `${asset} ${page}`)
        .sort(),
    /** The requests since the last call of this function. */
    requests(): LoggedRequest[] {
      const fresh = emulator.log().filter(({ sequence }) => sequence > seen);
      seen = fresh.at(-1)?.sequence ?? seen;
      return fresh;
    },
    /** Takes a snapshot of the site and the service. */
    snapshot,
    /**
     * Restores the files, assets and usages of a snapshot, or those from the start. Clears the faults
     * and the request log.
     */
    async restore(to = opened) {
      if (stopped) await startService();
      await emulator.clearFaults();
      await emulator.reset();
      emulator.replaceUsageRows(to.usages);
      seen = 0;
      await copyInto(to.site, site.dir);
      // A file that is written again has other validators.
      if (to.change === change) return;
      await copyInto(to.media, media);
      change = to.change;
    },
    /** Replaces the bytes of an asset. */
    replaceAsset: (name: string, bytes: Uint8Array) =>
      changeMedia(writeFile(join(media, name), bytes)),
    assetBytes: (name: string) => readFile(join(media, name)),
    deleteAsset: (name: string) => changeMedia(rm(join(media, name))),
    /** Stops the service until `startService`, which keeps the port. */
    async stopService() {
      await emulator.stop({ keep: true });
      stopped = true;
    },
    startService,
    async close() {
      await emulator.stop();
      await site.delete();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Opens a site for the tests of a file or a `describe`, and closes it after them. */
export function useSite(...options: Parameters<typeof openSiteWithService>): SiteWithService {
  // Has its members once it's open.
  const setup = {} as SiteWithService;
  let opened: SiteWithService | undefined;
  beforeAll(async () => {
    opened = await openSiteWithService(...options);
    Object.defineProperties(setup, Object.getOwnPropertyDescriptors(opened));
  });
  afterAll(() => opened?.close());
  return setup;
}

/** Replaces a folder's contents by those of another. */
async function copyInto(from: string, to: string): Promise<void> {
  const options = { recursive: true, force: true };
  // The folder itself stays, because a process may have it as its working directory.
  for (const name of await readdir(to).catch(() => [])) await rm(join(to, name), options);
  await cp(from, to, { ...options, verbatimSymlinks: true, preserveTimestamps: true });
}

/** The output of a run that must end with this code. */
export async function outputOf(run: Promise<Run>, expected = 0): Promise<string> {
  const { exitCode, output } = await run;
  expect(exitCode, output).toBe(expected);
  return output;
}

/** The usage posts among requests. */
export function usagePosts(requests: readonly LoggedRequest[]): LoggedRequest[] {
  return requests.filter(({ path }) => path === '/1/files/multiple/usages');
}

/** The downloads among requests, as `status path?query`. */
export function downloads(requests: readonly LoggedRequest[]): string[] {
  return requests
    .filter(({ path }) => path.includes('/download/'))
    .map(({ status, path, query }) => `${status} ${path}${query && `?${query}`}`);
}
