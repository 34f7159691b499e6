import {
  type AssetSubject,
  formatSubject,
  joinSubjects,
  listSubjects,
  type Subject,
} from './place.ts';
import * as wording from './wording.ts';

/** Images: their bytes, the cache, the catalogue of renditions. */
export const imageErrors = {
  'download-not-a-picture': {
    message: "{what} can't be shown as an image: the service sent {received}.",
    hint: 'Use a JPEG, PNG, WebP, AVIF, GIF or TIFF, or an SVG if the option `svg` allows it. Nothing was kept.',
  },
  'picture-too-large': {
    message: '{what} has {size}, more than the limit of {limit}.',
    hint: 'Upload a smaller version to the service. Nothing was kept.',
  },
  'image-colors': {
    message: "{what} isn't in sRGB and has no ICC profile: its colors have {colors}.",
    hint: 'Save it as sRGB, or with an ICC profile, and upload it again. HDR images need a version in SDR.',
  },
  'svg-refused': {
    message: "{at}asset {id} is an SVG, which this site doesn't allow.",
    hint: "Upload a pixel image instead. Or set `svg: 'trust'` to publish it unchanged, only if you trust everyone who can upload.",
  },
  'package-missing': {
    message: "{what} needs packages that couldn't be loaded: run `npm install {install}`.",
    hint: 'Install them next to astro-media-asset.',
  },
  'svg-not-cropped': {
    message: '{at}{what} needs pixels, but asset {id} is an SVG.',
    hint: 'Show the whole image, or upload a PNG of it to crop.',
  },
  'rendition-failed': {
    message: "{url} couldn't be made from asset {id}: {reason}.",
    hint: 'Try another `format` or a smaller `width`, or check the file in the service.',
  },
  'renditions-renewed': {
    message: 'All images are made again, once, because this version makes them differently.',
    hint: 'Nothing to do: pages link the new files.',
  },
  'live-site-unusable': {
    message:
      'No images could be taken from the live site ({url}: {problem}), so this build makes them.',
    hint: 'Check that the site is online, and switch off image compression on your host for this folder. If the site needs a sign-in, set `reuse: false`.',
  },
  'file-unwritable': {
    message: "{path} couldn't be written: {problem}.",
    hint: 'Check the folder, its permissions and the free space, or name another file. Nothing was kept of it, and sent usages are recorded.',
  },
  'cache-unusable': {
    message: "The image cache {path} can't be used.",
    hint: "Check the path (`media-asset` in Astro's `cacheDir`), its permissions and the free space. You can delete the folder: builds fill it again.",
  },
  /** The service may read the crop's parameters as corners instead of a size. */
  'custom-format-mismatch': {
    message: '{at}for a crop of asset {id}, the service sent {received} instead of {expected}.',
    hint: "Try `customFormat: 'corners'` (`media-asset doctor` tells whether it fits), or set `crops: 'local'` to cut crops from the original.",
  },
  'crop-refused': {
    message: (details: { id: number; status: number | undefined }) =>
      `The service refused a crop of asset ${details.id}${details.status === undefined ? '' : ` (${details.status})`}.`,
    hint: "Check that the crop fits the image in the service. If the service refuses all crops, set `crops: 'local'` to cut them from the original.",
  },
  'crops-cut-here': {
    message: (details: { ids: readonly number[] }) =>
      `The service failed to deliver crops of ${wording.countOf(details.ids.length, 'asset')}, so they were cut from the originals: ${wording.listIds(details.ids)}.`,
    hint: "Build again when the service works, or set `crops: 'local'` to always cut crops from the originals.",
  },
  'frames-lost': {
    message: (details: AssetSubject & { format: string; isStill: boolean }) =>
      `${wording.at(details)}asset ${details.id} is animated, but ${details.isStill ? `of an animated ${details.format}, only one frame is published` : `${details.format} shows only its first frame`}.`,
    hint: 'Leave out `format`, or set it to "webp" or "gif".',
    hintFor: ({ isStill }: { isStill: boolean }) =>
      isStill ? 'Upload it to the service as a GIF or an animated WebP.' : undefined,
  },
  'crop-review': {
    message: (details: {
      id: number;
      asked: readonly Subject[];
      crop: string;
      change: 'another' | 'size' | 'unknown';
      mapped?: string | undefined;
      old?: 'published' | 'lost' | undefined;
    }) => {
      const { id, asked, crop, change, mapped, old } = details;
      const same = mapped ? `. The same part is ${mapped}` : '';
      const said =
        change === 'size'
          ? `has another size now, so its crop ${crop} shows another part${same}`
          : change === 'unknown'
            ? `has changed, and its crop ${crop} can't be compared, because the old image isn't known`
            : `has another image now, so its crop ${crop} may show the wrong part`;
      const published = ' The old image is still published.';
      const lost =
        " The old image can't be kept, because it's neither in the cache nor on the live site. To publish the new one, set `changed: 'warn'`.";
      const kept = old && { published, lost }[old];
      return `${listSubjects(asked)}: asset ${id} ${said}.${kept ?? ''}`;
    },
    subject: joinSubjects,
    hint: 'Look at it with `media-asset crops`. Choose another crop, or accept this one with `media-asset crops --accept <id>`.',
  },
  'media-crops-broken': {
    message: "{path} can't be read: {problem}.",
    hint: 'Correct the file: an object of asset IDs, each with the first digits of a hash. `media-asset crops --accept <id>` writes it.',
  },
  /** That's no proof that the assets were withdrawn. */
  'service-refuses-all': {
    message: (details: { service: string; ids: readonly number[] }) =>
      `${details.service} delivered no asset in this run, and refused ${wording.countOf(details.ids.length, 'asset')}: ${wording.listIds(details.ids)}.`,
    hint: 'Check the base URL, and that the credentials may see these assets. Nothing was deleted from the cache, and no usage was removed.',
  },
  'asset-unknown': {
    message: (details: { assets: readonly wording.UnavailableAsset[] }) =>
      wording.nameUnavailable("The service doesn't know", details.assets),
    subject: wording.subjectOfOne,
    hint: 'Check the ID, and that the credentials may see its folder. If the asset was withdrawn, remove it from the pages, or restore it in the service.',
  },
  /** A cached copy isn't published, because the right to show it may have ended. */
  'asset-withdrawn': {
    message: (details: { assets: readonly wording.UnavailableAsset[] }) =>
      wording.nameUnavailable('The service no longer delivers', details.assets),
    subject: wording.subjectOfOne,
    hint: "Remove the assets from these pages, or restore them in the service. `unavailable: 'warn'` publishes the pages without them.",
  },
  'stale-too-long': {
    message: "{at}{what} couldn't be checked with the service for more than {days} days.",
    hint: 'Build when the service can be reached, or raise `maxStale`. Rights may have changed since.',
  },
  /** Astro kept pages of an earlier build. The images on them have changed since. */
  'rendition-lost': {
    message: (details: { renditions: readonly { url: string; pages: string }[] }) =>
      `The sources of published images are gone:\n${details.renditions.map((lost) => `  - ${lost.url} on ${lost.pages}`).join('\n')}`,
    hint: 'Render the pages again: `astro build --force`.',
  },
  'service-address-shown': {
    message:
      "{page} shows asset {id} by the service's own URL, which may need a token that visitors don't have.",
    hint: "Use <MediaAsset> or getMediaAsset(). If the service answers visitors, set `delivery: 'service'`.",
  },
  'rendition-unknown': {
    message: '{page} uses {url}, an image that no component of this site has made.',
    hint: 'Use <MediaAsset> or getMediaAsset() instead of a copied URL.',
  },
  'media-address-unread': {
    message: (details: Subject & { address: string }) =>
      `${formatSubject(details)} contains ${details.address}, which browsers can't open.`,
    hint: "Use <MediaAsset> or <MediaFile> there, mediaAsset() instead of image() in a collection's schema, and an entry's rendered HTML instead of its `body` in a feed. On Astro 6.4 and later, MDX needs @astrojs/mdx 6 or newer.",
  },
  /** The build may lack a newer version. */
  'asset-stale': {
    message: ({ ids, checked }: { ids: readonly number[]; checked: string }) =>
      ids.length === 1
        ? `Asset ${ids[0]} is stale: it comes from the cache, last checked ${checked}, because the service couldn't be reached or failed.`
        : `${ids.length} assets are stale: they come from the cache, the oldest last checked ${checked}, because the service couldn't be reached or failed: ${wording.listIds(ids)}.`,
    subject: ({ ids }: { ids: readonly number[] }) => (ids.length === 1 ? { id: ids[0] } : {}),
    hint: 'Build again when the service can be reached.',
  },
  'renderer-alone': {
    message:
      "astro-media-asset only works in a build and in `astro dev`. This code runs on demand, or in a process that the integration doesn't reach.",
    hint: 'Add `export const prerender = true` to the page if it renders on demand. In a build, add mediaAsset() to the integrations.',
  },
  /** Cloudflare's runtime sends requests only while it renders a page. */
  'renderer-unreachable': {
    message: ({ problem }: { problem: string }) =>
      `A page couldn't ask the build or the dev server for an asset: ${problem.replace(/\.$/, '')}.`,
    hint: "Call getMediaAsset() and the other functions in a page's frontmatter or in a function, not at a module's top level. If the dev server has restarted, reload the page. Or render pages in Node: `cloudflare({ prerenderEnvironment: 'node' })`.",
  },
  'component-on-demand': {
    message: (details: Omit<Subject, 'id'> & { component: string; given: unknown }) =>
      `${wording.at(details)}<${details.component} id={${details.given}}> is rendered on demand. It only works on prerendered pages.`,
    hint: 'Add `export const prerender = true` to the page. Or pass the image to a server island from a prerendered page, as a prop or in its slot.',
  },
  'markdown-on-demand': {
    message: (
      details: Record<'routes' | 'islands', readonly string[]> & { places: readonly Subject[] },
    ) => {
      const { places, routes, islands } = details;
      const showing = [
        routes.length > 0 && `an on-demand route (${wording.listNames(routes)})`,
        islands.length > 0 && `a server island (on ${wording.listNames(islands)})`,
      ].filter(Boolean);
      return `No prerendered page shows the assets of ${wording.listNames(places.map(formatSubject))}, so their files aren't published. They are missing if ${showing.join(' or ')} shows this Markdown.`;
    },
    subject: ({ places: [first] }: { places: readonly Subject[] }) => first ?? {},
    hint: 'Add `export const prerender = true` to the route. Ignore this for drafts that no page shows.',
  },
} as const satisfies wording.CatalogueEntries;

/** Files that are published unchanged: downloads, videos. */
export const fileErrors = {
  'file-empty': {
    message: '{what} is empty (0 bytes).',
    hint: 'Check the file in the service, and upload it again. Nothing was kept.',
  },
  'file-guarded': {
    message: "{at}asset {id} is {what}, judging by its {by}. Such files aren't published.",
    hint: 'Put it into a zip archive: a browser would run it with the rights of your own pages. If you trust everyone who can change it, allow the kind with `files: { allow: […] }`.',
  },
  'file-is-picture': {
    message:
      '{at}asset {id} is an image. Published as a file, it would keep the places and names in its metadata.',
    hint: "Show it with <MediaAsset>, or in Markdown with `![](media:4711)`. To link it in an .astro file, use the `src` of `await getMediaAsset({ id, alt, format: 'jpeg' })`. `files: { allow: ['picture'] }` publishes images unchanged.",
  },
  'file-not-video': {
    message: "{at}asset {id} isn't a video, but {contentType}.",
    hint: 'Use <MediaAsset> for images and <MediaFile> for a download link. <MediaVideo> shows videos (MP4, WebM, …).',
  },
} as const satisfies wording.CatalogueEntries;

/** Records of assets, and the rights to show them. */
export const recordErrors = {
  'record-invalid': {
    message: "The record of asset {id} can't be read by `{option}`: {problem}.",
    hint: 'Correct the function in astro.config. `media-asset record <id>` shows the fields of an asset.',
  },
  'record-unread': {
    message: "This site doesn't read the records of its assets.",
    hint: 'Set the option `record` in astro.config, or `rights.fields` for rights.',
  },
  /** It may be empty for all assets, or be written in another way. */
  'fields-unseen': {
    message: ({ names }: { names: readonly string[] }) =>
      `No answer of the service has ${names.map((name) => `\`${name}\``).join(', ')}. This site reads them as empty.`,
    hint: 'Compare the names in `record.fields` and `rights.fields` with the output of `media-asset record <id>`.',
  },
  'asset-forbidden': {
    message: (details: { assets: readonly wording.UnavailableAsset[]; isShown?: boolean }) =>
      wording.nameUnavailable(
        details.isShown
          ? 'This site shows forbidden'
          : 'According to the service, the site may not show',
        details.assets,
      ),
    subject: wording.subjectOfOne,
    hint: "Remove the asset from these pages, or correct its record in the service. `rights: { forbidden: 'hide' }` publishes the pages without it.",
  },
  /** A build can't leave out a URL that someone wrote into a page. */
  'forbidden-address': {
    message: (details: { assets: readonly wording.UnavailableAsset[] }) =>
      wording.nameUnavailable(
        'The site may not show these assets, but built files contain the URL of',
        details.assets,
      ),
    subject: wording.subjectOfOne,
    hint: 'Use <MediaAsset>, or pass `page` to getMediaAsset(), so that the asset is left out. Remove a URL that someone wrote. If the page comes from an earlier build, run `astro build --force`. A fallback page of Astro (`i18n.fallback`) shows what the page of another language shows, so write a page of its own instead.',
  },
  'asset-unpublished': {
    message: 'No page and no URL of asset {id} is known here, so there is nothing to prove.',
    hint: 'Check the ID. The records of earlier proofs are in `.media-asset/withdrawals`.',
  },
  'rights-ending': {
    message: ({ id, until, asked }: wording.UnavailableAsset & { until: string }) =>
      `${listSubjects(asked)}: the rights to asset ${id} end on ${until}.`,
    subject: joinSubjects,
    hint: 'Extend the rights, or replace the asset. From the next day on, builds treat it as forbidden.',
  },
  'cache-outlives-rights': {
    message: ({ ids }: { ids: readonly number[] }) =>
      `A rule of _headers lets caches keep ${wording.countOf(ids.length, 'asset')} longer than a day, although the rights end or aren't known: ${wording.listIds(ids)}.`,
    hint: "Take the folder of this site's images out of the rule: Netlify can't shorten it for some of its files. `cacheRules: false` switches this check off.",
  },
  'rights-unknown': {
    message: (details: wording.UnavailableAsset) =>
      `${listSubjects(details.asked)}: the service doesn't say whether the site may show asset ${details.id} (${details.reason ?? 'rights unknown'}).`,
    subject: joinSubjects,
    hint: "Fill in the record in the service. If an asset without a field has no limit, name it in `rights.optional`. `rights: { unknown: 'forbid' }` forbids such assets, and `'allow'` shows them without this warning.",
  },
} as const satisfies wording.CatalogueEntries;
