import type { Finding } from '../errors/errors.ts';
import type { MediaService } from '../service/types.ts';
import type { FileRules } from './files/guard-file.ts';
import type { ToCustomFormat } from './geometry/custom-format-parameters.ts';
import type { RenditionBytes } from './renditions/rendition-bytes.ts';
import type { CropNotes } from './renditions/service-crops.ts';
import type { PictureDefaults } from './request/parse-request.ts';
import type { Sources } from './sources/sources.ts';
import type { AssetStore } from './store/asset-store.ts';
import type { Catalogue } from './store/catalogue.ts';
import type { SvgRule } from './svg/svg-rule.ts';

/** What a site decides about its images. */
export interface ImagesOptions {
  readonly service: MediaService;
  /** The folder of cache and catalogue, an absolute path. */
  readonly cacheDir: string;
  /** Who cuts crops: the service (custom formats), or this machine from the original. */
  readonly crops: 'service' | 'local';
  /** `service`: pages carry the service's own addresses. */
  readonly delivery: 'static' | 'service';
  /** The query of a crop's custom format. @default x1, y1, and the crop's size as w, h */
  readonly customFormat?: ToCustomFormat | undefined;
  /** What holds where a component says nothing. */
  readonly defaults?: PictureDefaults | undefined;
  /** Whether pages may carry `style` attributes. @default true */
  readonly styleAttributes?: boolean | undefined;
  /** What is done with SVG drawings. @default 'refuse' */
  readonly svg?: SvgRule | undefined;
  readonly mode: 'build' | 'dev';
  /** How old the last check of a cached asset may be, in ms. @default 604800000 (7 days) */
  readonly maxStale?: number | undefined;
  /** Rules for files that are published as they are. */
  readonly files?: FileRules | undefined;
  /** The site's address, where it has one. */
  readonly site?: string | undefined;
  /** The URL of a path below the assets folder. */
  readonly toUrl: (path: string) => string;
  readonly onFinding: (finding: Finding) => void;
  /** Requests that the service takes at once. @default 8 */
  readonly requestsAtOnce?: number | undefined;
  /** Renditions made at once. @default the number of processors */
  readonly concurrency?: number | undefined;
  /** Milliseconds since the epoch. @default `Date.now` */
  readonly clock?: (() => number) | undefined;
  /** For the request without a token. @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
}

/** What the parts of one run share. */
export interface ImagesContext {
  readonly options: ImagesOptions;
  readonly service: MediaService;
  readonly catalogue: Catalogue;
  readonly cache: AssetStore;
  readonly sources: Sources;
  readonly bytes: RenditionBytes;
  readonly customFormat: ToCustomFormat;
  readonly cropNotes: CropNotes;
  /** Assets that this run has shown. */
  readonly shown: Set<number>;
  /** Lets pages show an asset that could not be checked, or throws `stale-too-long`. */
  readonly allowStale: (id: number, page: string) => void;
  /** An address of this site as others name it; the same without a `site`. */
  readonly toAbsolute: (url: string) => string;
  /** Told of each address of the service that a page carries. */
  readonly onLink: (url: string) => void;
}
