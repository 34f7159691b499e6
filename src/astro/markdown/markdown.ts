import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  findRenditions,
  formatRenditionPath,
  type RenditionAddress,
} from '../../assets/formats/rendition-url.ts';
import type { Place } from '../../authoring/toolbar/protocol.ts';
import type { DescribeForToolbar } from '../../authoring/toolbar/shown-asset.ts';
import { hintAlone, isMediaAssetError, type MediaAssetError } from '../../errors/errors.ts';
import type { BuildNotes } from '../build/build-notes.ts';
import { cacheFolder } from '../build/rendition-locations.ts';
import type { Site } from '../open-site.ts';
import { localeIn } from './markdown-locale.ts';
import { dropMemory, type MarkdownMemory, readMemory, writeMemory } from './markdown-memory.ts';
import { type ChangeNode, changeNodes } from './markdown-nodes.ts';
import {
  createMarkdownRenderer,
  type MarkdownEvents,
  type MarkdownImages,
} from './markdown-renderer.ts';
import { styledMarker } from './markdown-styles.ts';

/** The images in Markdown and MDX during one `astro build` or `astro dev`. */
export interface Markdown {
  /** Replaces images and links with `media:` addresses. */
  readonly change: ChangeNode;
  readonly state: string;
  /** Writes the memory after a build without failures. @throws `cache-unusable` */
  remember(): Promise<void>;
  /** Whether an entry of a content collection may need the component's styles. */
  needsStyles(): boolean;
  /** @throws the first error that wasn't ours while Markdown was rendered */
  throwIfFailed(): void;
  /**
   * The places in rendered Markdown that name assets whose files weren't published.
   *
   * @param published paths of renditions, below the assets folder
   */
  unpublished(published: ReadonlySet<string>): string[];
}

/**
 * Opens the Markdown of a site before its content is rendered. Decides whether the last build's HTML is
 * still valid.
 *
 * @throws errors that affect all assets, and `cache-unusable`
 */
export async function openMarkdown({
  command,
  config,
  images,
  checks,
  settings,
  unavailable,
  failures,
  describe,
}: Pick<Site, 'command' | 'config' | 'images' | 'checks' | 'settings' | 'failures'> &
  Pick<BuildNotes, 'unavailable'> & {
    describe?: DescribeForToolbar | undefined;
  }): Promise<Markdown> {
  const isBuild = command === 'build';
  const memoryPath = join(cacheFolder(config), 'markdown.json');
  const unexpected: unknown[] = [];
  let failed = false;
  let distrusted = false;
  let memory: MarkdownMemory = {
    ...{ version: 1, epoch: randomUUID(), renditions: [], records: '', styled: false },
  };
  /** The place in Markdown that names a rendition, by the rendition's path. */
  const places = new Map<string, string>();
  /** One rendition per version of an asset. It shows whether the version is still current. */
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
    onRefused: unavailable.explain,
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
  /** In dev, missing images get a labelled placeholder, as in components. */
  const inDev: MarkdownImages = {
    async getMediaAsset(request) {
      const place = placeIn(request.page);
      try {
        const asset = await images.pages.getMediaAsset(request);
        return { ...asset, toolbar: await describe?.({ request, asset, place }) };
      } catch (thrown) {
        if (!isMediaAssetError(thrown)) throw thrown;
        const asset = await images.pages.missingImage(request, thrown);
        await noteInDev(thrown, request);
        return { ...asset, toolbar: await describe?.({ request, asset, place, failure: thrown }) };
      }
    },
    getMediaFile: images.pages.getMediaFile,
  };
  const renderer = createMarkdownRenderer({
    images: isBuild ? images.pages : inDev,
    root: fileURLToPath(config.root),
    localeOf: (file) => localeIn(file, config),
    isBuild,
    events,
  });

  async function noteInDev(
    { code, message, hint }: MediaAssetError,
    { id = 0, page = message }: { id?: number; page?: string } = {},
  ): Promise<void> {
    // Markdown is rendered once per edit. Log a failure again if it's still there.
    failures.shown(page, id);
    failures.failed({
      ...{ code, message, severity: 'error', place: page, id },
      hint: id === 0 ? hint : `${hintAlone({ code, hint })} ${loadAgain}`,
    });
    // Makes Astro render all Markdown again when the dev server restarts.
    images.publisher.renewVersions();
    await images.publisher.save();
  }

  function note(address: RenditionAddress): void {
    shown.set(`${address.id}-${address.sourceHash}`, formatRenditionPath(address));
  }

  /** If this build fails, the HTML that it leaves has no memory. So the old memory is deleted first. */
  function distrust(): void {
    if (isBuild && !distrusted) dropMemory(memoryPath);
    distrusted = true;
  }

  async function isCurrent({ renditions, records }: MarkdownMemory): Promise<boolean> {
    if (renditions.length === 0) return true;
    checks.start();
    await checks.done();
    return images.publisher.isCurrent(renditions, records);
  }

  if (isBuild) {
    const last = await readMemory(memoryPath);
    if (last && (await isCurrent(last))) memory = last;
    findRenditions(memory.renditions.join('\n')).forEach(note);
    if (shown.size > 0) distrust();
  }
  return {
    change: changeNodes(renderer),
    state: `${settings}-${isBuild ? memory.epoch : images.publisher.versions()}`,
    async remember() {
      // A draft can have a failure that no page shows yet.
      if (!isBuild || failed) return;
      const renditions = [...shown.values()].sort();
      const records = images.publisher.keep(renditions);
      await writeMemory(memoryPath, { ...memory, renditions, records });
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

const loadAgain =
  'Then save the file to load the image again: Astro renders Markdown only when it changes.';

/** The place that messages about Markdown name: `src/content/notes/rope.md:12`. */
function placeIn(page: string): Place | undefined {
  const [, file, line] = /^(.+):(\d+)$/.exec(page) ?? [];
  return file === undefined ? undefined : { file, line: Number(line) };
}
