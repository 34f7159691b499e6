import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  findRenditions,
  formatRenditionPath,
  type RenditionAddress,
} from '../../assets/formats/rendition-url.ts';
import { readCachedJson, writeCachedJson } from '../../assets/store/cached-json.ts';
import type { DescribeForToolbar } from '../../authoring/toolbar/shown-asset.ts';
import {
  hintAlone,
  isMediaAssetError,
  type MediaAssetError,
  mediaAssetError,
  toFinding,
} from '../../errors/errors.ts';
import { formatSubject, type Subject } from '../../errors/place.ts';
import type { UnavailableAssets } from '../build/unavailable-assets.ts';
import { imagesInDev } from '../images-in-dev.ts';
import type { Site } from '../open-site.ts';
import { blockMarker } from './markdown-blocks.ts';
import { changeNodes } from './markdown-nodes.ts';
import { createMarkdownRenderer, type MarkdownEvents } from './markdown-renderer.ts';
import { styledMarker } from './markdown-styles.ts';

/** The images in Markdown and MDX during one `astro build` or `astro dev`. */
export type Markdown = Awaited<ReturnType<typeof openMarkdown>>;

/** Opens a site's Markdown before it's rendered. Decides whether the last HTML is still valid. */
export async function openMarkdown(
  site: Site & { unavailable: UnavailableAssets; describe: DescribeForToolbar | undefined },
) {
  const { config, images, checks, settings, unavailable, onFinding, describe } = site;
  const isBuild = site.command === 'build';
  const memoryPath = join(site.cacheDir, 'markdown.json');
  const unexpected: unknown[] = [];
  let failed = false;
  let distrusted = false;
  let memory: MarkdownMemory = {
    ...{ version: 1, epoch: randomUUID(), renditions: [], records: '', styled: false },
  };
  /** What in Markdown names a rendition, by the rendition's path. */
  const places = new Map<string, Subject>();
  /** One rendition per version of an asset. It shows whether the version is still current. */
  const shown = new Map<string, string>();

  const events: MarkdownEvents = {
    onShown(html, subject) {
      distrust();
      if (styledMarker.test(html)) memory.styled = true;
      for (const address of findRenditions(html)) {
        note(address);
        places.set(formatRenditionPath(address), subject);
      }
    },
    onRefused(...refused) {
      failed = true;
      unavailable.explain(...refused);
    },
    async onFailure(thrown) {
      failed = true;
      if (isMediaAssetError(thrown)) {
        if (!isBuild) noteInDev(thrown);
      } else if (isBuild) unexpected.push(thrown);
      else throw thrown;
    },
  };
  const inDev = imagesInDev(images.pages, {
    describe,
    async survived(thrown) {
      if (isMediaAssetError(thrown)) return thrown;
      throw thrown;
    },
    note: (error) => noteInDev(error, `${hintAlone(error)} ${loadAgain}`),
  });
  const renderer = createMarkdownRenderer({
    images: isBuild ? images.pages : inDev,
    root: fileURLToPath(config.root),
    languages: site.languages,
    isBuild,
    events,
  });

  const noteInDev = (error: MediaAssetError, hint = error.hint) =>
    onFinding({ ...toFinding('error', error), hint });

  function note(address: RenditionAddress): void {
    shown.set(`${address.id}-${address.sourceHash}`, formatRenditionPath(address));
  }

  /** If this build fails, the HTML that it leaves has no memory. So the old memory is deleted first. */
  function distrust(): void {
    if (!isBuild || distrusted) return;
    try {
      // Node only retries with `recursive` while another process holds the file.
      rmSync(memoryPath, { force: true, recursive: true, maxRetries: 10 });
    } catch (cause) {
      throw mediaAssetError('cache-unusable', { path: memoryPath }, { cause });
    }
    distrusted = true;
  }

  async function isCurrent({ renditions, records }: MarkdownMemory): Promise<boolean> {
    if (renditions.length === 0) return true;
    checks.start();
    await checks.done();
    return images.publisher.isCurrent(renditions, records);
  }

  if (isBuild) {
    const last = readCachedJson(memoryPath, memorySchema);
    // The service's own URLs don't tell which version the HTML shows.
    if (site.options.delivery === 'static' && last && (await isCurrent(last))) memory = last;
    findRenditions(memory.renditions.join('\n')).forEach(note);
    if (shown.size > 0) distrust();
  }
  return {
    /** Replaces images and links with `media:` addresses. */
    change: changeNodes(renderer),
    /** Marks blocks for the toolbar, in dev. */
    markBlocks: describe && blockMarker(fileURLToPath(config.root)),
    // A dev server remembers nothing of the HTML that an earlier one has left.
    state: `${settings}-${isBuild ? memory.epoch : randomUUID()}`,
    /** Writes the memory after a build without failures. */
    async remember() {
      // A draft can lack an asset that no page shows yet.
      if (!isBuild || failed) return;
      const renditions = [...shown.values()].sort();
      const records = images.publisher.keep(renditions);
      await writeCachedJson(memoryPath, { ...memory, renditions, records });
    },
    /** Whether an entry of a content collection may need the component's styles. */
    needsStyles: () => !isBuild || memory.styled,
    /** Throws the first error that wasn't ours while Markdown was rendered. */
    throwIfFailed() {
      if (unexpected.length > 0) throw unexpected[0];
    },
    /** The places in Markdown that name unpublished assets. `published`: in the assets folder. */
    unpublished(published: ReadonlyMap<string, unknown>): Subject[] {
      const missing = [...places].filter(([path]) => !published.has(path));
      const distinct = new Map(missing.map(([, subject]) => [formatSubject(subject), subject]));
      return [...distinct].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
    },
  };
}

const loadAgain =
  'Then save the file to load the image again: Astro renders Markdown only when it changes.';

const memorySchema = z.object({
  version: z.literal(1),
  /** Changes when an earlier build's HTML may be out of date. */
  epoch: z.string(),
  /** Paths of renditions in the HTML, below the assets folder. One per source. */
  renditions: z.array(z.string()),
  /** A digest of the records of their assets. */
  records: z.string(),
  /** Whether an image needs the component's styles. */
  styled: z.boolean(),
});

/** What a build remembers about the images in the HTML that Astro keeps for the next build. */
type MarkdownMemory = z.output<typeof memorySchema>;
