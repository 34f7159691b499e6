import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readWrittenCrop, writeCrop } from '../../assets/geometry/write-crop.ts';
import type { PeopleAssets } from '../../assets/people-assets.ts';
import type { Verdict } from '../../assets/records/verdict.ts';
import { readAcceptedCrops } from '../../assets/renditions/accepted-crops.ts';
import { cropReviews, reviewsFile } from '../../assets/renditions/review-crops.ts';
import type { Asking } from '../../assets/request/asking.ts';
import type { MediaAsset, MediaAssetRequest } from '../../assets/request/media-asset.ts';
import type { MediaFile } from '../../assets/request/media-file.ts';
import { readCachedJson } from '../../assets/store/cached-json.ts';
import { onNoPage } from '../../config/languages.ts';
import { type Finding, ignoreOurs } from '../../errors/errors.ts';
import type { GivenCuts } from '../crop-editor/crop-state.ts';
import { kindOf } from './catalogue.ts';
import type { ShownAsset } from './protocol.ts';
import { toShownRecord } from './shown-record.ts';

/** Props that a preset can set, as far as the toolbar uses them. */
type Presets = Readonly<Record<string, { readonly aspect?: unknown; readonly focus?: unknown }>>;

interface Rendered {
  readonly request: MediaAssetRequest;
  readonly asking: Asking;
  readonly asset: MediaAsset;
  /** Why the page shows a placeholder. */
  readonly failure?: Pick<Finding, 'code' | 'message'> | undefined;
}

interface PageFile {
  readonly asking: Asking;
  readonly file: MediaFile;
}

/** Describes the assets of pages for the toolbar. Returns the value of `data-media-asset-toolbar`. */
export type DescribeForToolbar = (rendered: Rendered | PageFile) => Promise<string>;

export function createToolbarDescriber(
  site: {
    readonly images: { people: Pick<PeopleAssets, 'describeRecord' | 'original' | 'names'> };
    readonly cacheDir: string;
    readonly config: { readonly root: URL };
  },
  presets: Presets,
): DescribeForToolbar {
  const images = site.images.people;
  /** Of the last build on this machine. */
  const reviews = readCachedJson(join(site.cacheDir, reviewsFile), cropReviews) ?? [];

  async function reviewOf(id: number, crop: GivenCuts['crop']) {
    const written = crop && writeCrop(crop, 'js');
    const review = reviews.find((one) => one.id === id && one.crop === written);
    const root = fileURLToPath(site.config.root);
    const accepted = review && (await readAcceptedCrops(root).catch(ignoreOurs));
    return review?.now.startsWith(accepted?.[id] ?? 'none') ? undefined : review;
  }

  return async (rendered) => {
    const { asking } = rendered;
    const { id, place, shownIn, texts } = asking;
    const described = await images.describeRecord(id, asking);
    const locale = (shownIn === onNoPage ? texts : shownIn[0]) || undefined;
    const record = toShownRecord(described);
    const about = { id, name: images.names()[id], alt: '', locale, place, record };
    const rights = described?.isNoted ? [rightsProblem(described.verdict)] : [];
    if ('file' in rendered) {
      const { name, contentType } = rendered.file;
      const kind = kindOf(contentType);
      const own = { name: about.name ?? name, kind, props: {}, problems: rights };
      const shown: ShownAsset = { ...about, ...own };
      return JSON.stringify(shown);
    }
    const { request, asset } = rendered;
    // Its image is there.
    const failure = rendered.failure?.code === 'alt-missing' ? undefined : rendered.failure;
    const { crop, sources, preset, alt: given } = request;
    const ofPreset = preset === undefined ? undefined : presets[preset];
    const props: GivenCuts = {
      crop,
      aspect: request.aspect ?? (ofPreset?.aspect as GivenCuts['aspect']),
      focus: request.focus ?? (ofPreset?.focus as GivenCuts['focus']),
      preset,
      recordFocus: described?.record?.focus,
      sources: sources?.map(({ media, crop, aspect, focus }) => ({ media, crop, aspect, focus })),
    };
    const size = failure ? undefined : await images.original(id);
    const review = await reviewOf(id, crop);
    // In another version of the original, the rectangle shows another part.
    const same = size?.hash === review?.now && review?.mapped;
    const mapped = same ? readWrittenCrop(same) : undefined;
    const widths = [...new Set(asset.renditions.map(({ width }) => width))].sort((a, b) => a - b);
    const shown: ShownAsset = {
      ...{ ...about, alt: asset.alt, given, props, mapped },
      original: size && { width: size.width, height: size.height },
      layout: failure ? undefined : { width: asset.width, height: asset.height, widths },
      problems: [
        ...(failure ? [] : rights),
        ...(rendered.failure && !failure ? ['No alt text'] : []),
        ...(review ? ['The image has changed since someone chose its crop.'] : []),
        ...findProblems({ ...rendered, failure }),
      ],
    };
    return JSON.stringify(shown);
  };
}

function rightsProblem({ state, until, reason }: Verdict): string {
  const messages: Partial<Record<Verdict['state'], string>> = {
    forbidden: `The site may not show this asset${reason ? `: ${reason}` : ''}.`,
    unknown: "The record doesn't say whether the site may show this asset.",
  };
  return messages[state] ?? `The rights to this asset end on ${until}.`;
}

function findProblems({ request, asset, failure }: Rendered): string[] {
  if (failure) return [failure.message];
  const width = Number(request.width ?? 0);
  if (width <= asset.width) return [];
  return [`The page asks for ${width} px, but the image has only ${asset.width} px.`];
}
