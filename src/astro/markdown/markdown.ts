import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Assets } from '../../assets/assets.ts';
import {
  findRenditions,
  formatRenditionPath,
  type RenditionAddress,
} from '../../assets/formats/rendition-url.ts';
import { isMediaAssetError, type MediaAssetError } from '../../errors/errors.ts';
import type { BuildNotes } from '../build/build-notes.ts';
import { cacheFolder } from '../build/rendition-locations.ts';
import type { Site } from '../open-site.ts';
import { dropMemory, type MarkdownMemory, readMemory, writeMemory } from './markdown-memory.ts';
import { type ChangeNode, changeNodes } from './markdown-nodes.ts';
import { createMarkdownRenderer, type MarkdownEvents } from './markdown-renderer.ts';
import { styledMarker } from './markdown-styles.ts';

/** The pictures of Markdown and MDX in one run of `astro build` or `astro dev`. */
export interface Markdown {
  /** Replaces the images and links of a text that name assets. */
  readonly change: ChangeNode;
  readonly state: string;
  /** After a build whose pages show all that they should. @throws `cache-unusable` */
  remember(): Promise<void>;
  /** Whether an entry of a content collection may need the component's styles. */
  needsStyles(): boolean;
  /** @throws what was no error of ours while Markdown was rendered */
  throwIfFailed(): void;
  /**
   * Where Markdown that Astro has rendered in this build names assets whose files are not in the output.
   *
   * @param published paths of renditions below the assets folder
   */
  unpublished(published: ReadonlySet<string>): string[];
}

/**
 * Opens the Markdown of a site before its content is rendered: decides whether the HTML of the last
 * build may stay.
 *
 * @throws what concerns all assets, and `cache-unusable`
 */
export async function openMarkdown({
  command,
  config,
  images,
  checks,
  settings,
  unavailable,
  failures,
}: Pick<Site, 'command' | 'config' | 'images' | 'checks' | 'settings' | 'failures'> &
  Pick<BuildNotes, 'unavailable'>): Promise<Markdown> {
  const isBuild = command === 'build';
  const memoryPath = join(cacheFolder(config), 'markdown.json');
  const unexpected: unknown[] = [];
  let failed = false;
  let distrusted = false;
  let memory: MarkdownMemory = { version: 1, epoch: randomUUID(), renditions: [], styled: false };
  /** By rendition: where Markdown names it. */
  const places = new Map<string, string>();
  /** By version of an asset: one rendition of each tells whether it is still the service's. */
  const shown = new Map<string, string>();

  const events: MarkdownEvents = {
    onShown(html, place) {
      distrust();
      if (styledMarker.test(html)) memory.styled = true;
      for (const address of findRenditions(html)) {
        note(address);
        places.set(formatRenditionPath(address), place);
      }
    },
    onRefused: (id, error) => unavailable.explain(id, error),
    async onFailure(error) {
      failed = true;
      if (!isBuild) await noteInDev(error);
    },
    onUnexpected(thrown) {
      if (!isBuild) throw thrown;
      failed = true;
      unexpected.push(thrown);
    },
  };
  /** Unavailable images show a labelled placeholder, as those of components do in dev. */
  const inDev: Pick<Assets, 'getMediaAsset' | 'getMediaFile'> = {
    async getMediaAsset(request) {
      try {
        return await images.getMediaAsset(request);
      } catch (thrown) {
        if (!isMediaAssetError(thrown)) throw thrown;
        const asset = await images.missingImage(request, thrown);
        await noteInDev(thrown, request);
        return asset;
      }
    },
    getMediaFile: (request) => images.getMediaFile(request),
  };
  const renderer = createMarkdownRenderer({
    images: isBuild ? images : inDev,
    root: fileURLToPath(config.root),
    isBuild,
    events,
  });

  async function noteInDev(
    { code, message, hint }: MediaAssetError,
    { id = 0, page = message }: { id?: number; page?: string } = {},
  ): Promise<void> {
    // Markdown is rendered once an edit: what is still wrong is said again.
    failures.shown(page, id);
    failures.failed({ code, message, hint, severity: 'error', place: page, id });
    // All Markdown is rendered again when the dev server restarts.
    images.renewVersions();
    await images.save();
  }

  function note(address: RenditionAddress): void {
    shown.set(`${address.id}-${address.sourceHash}`, formatRenditionPath(address));
  }

  /** A build that fails leaves HTML whose pictures nobody remembers. */
  function distrust(): void {
    if (isBuild && !distrusted) dropMemory(memoryPath);
    distrusted = true;
  }

  async function isCurrent({ renditions }: MarkdownMemory): Promise<boolean> {
    if (renditions.length === 0) return true;
    checks.start();
    await checks.done();
    for (const path of renditions) {
      if (!(await images.isCurrent(path))) return false;
    }
    return true;
  }

  if (isBuild) {
    const last = await readMemory(memoryPath);
    if (last && (await isCurrent(last))) memory = last;
    findRenditions(memory.renditions.join('\n')).forEach(note);
    if (shown.size > 0) distrust();
  }
  return {
    change: changeNodes(renderer),
    state: `${settings}-${isBuild ? memory.epoch : images.versions()}`,
    async remember() {
      // A draft can hold a failure that no page shows yet.
      if (!isBuild || failed) return;
      const renditions = [...shown.values()].sort();
      images.keepSources(renditions);
      await writeMemory(memoryPath, { ...memory, renditions });
    },
    needsStyles: () => !isBuild || memory.styled,
    throwIfFailed() {
      if (unexpected.length > 0) throw unexpected[0];
    },
    unpublished(published) {
      const missing = [...places].filter(([path]) => !published.has(path));
      return [...new Set(missing.map(([, place]) => place))].sort();
    },
  };
}
