import type { SiteLanguages } from '../config/languages.ts';
import type { ResolvedOptions } from '../config/options.ts';
import type { Finding } from '../errors/errors.ts';
import type { MediaService } from '../service/types.ts';
import type { FileRules } from './files/file-rules.ts';
import type { ToCustomFormat } from './geometry/custom-format-parameters.ts';
import type { SourceLabel } from './records/source-labels.ts';
import type { RightsRule } from './records/verdict.ts';
import type { PublishedRendition } from './renditions/live-renditions.ts';
import type { ImageDefaults } from './request/parse-request.ts';
import type { KeptFacts } from './store/asset-facts.ts';

/** What the last reported build has left, for a build without its cache. */
export interface EarlierBuild {
  originals(): Promise<KeptFacts>;
  /** Those on the live site, by rendition key. */
  renditions(): Promise<ReadonlyMap<string, PublishedRendition>>;
}

/** `svg` is refused by default. Without `record`, no texts are read. */
export interface AssetsOptions
  extends Pick<ResolvedOptions, 'delivery' | 'record'>,
    Partial<Pick<ResolvedOptions, 'svg'>> {
  readonly service: MediaService;
  /** The absolute path of the cache's folder. */
  readonly cacheDir: string;
  readonly crops: NonNullable<ResolvedOptions['crops']>;
  /** The query of a crop's custom format. */
  readonly customFormat: ToCustomFormat;
  readonly defaults?: ImageDefaults | undefined;
  readonly mode: 'build' | 'dev';
  /**
   * Without credentials, pages show cached assets of any age, and labelled placeholders instead of the
   * others. The cache stays unchanged.
   */
  readonly hasCredentials: boolean;
  /** The highest age of a cached asset's last check, in ms. */
  readonly maxStale: number;
  /** Whether a page shows the old version of a replaced image until someone has looked at its crop. */
  readonly keeps: boolean;
  /** By asset, the start of the hash of the original that its crops were accepted for. */
  readonly accepted: () => Promise<Readonly<Record<string, string>>>;
  readonly files?: FileRules | undefined;
  readonly languages: SiteLanguages;
  readonly rights: RightsRule;
  /** @default no labels */
  readonly sourceLabel?: SourceLabel | undefined;
  readonly site?: string | undefined;
  /** @default nothing */
  readonly earlier?: EarlierBuild | undefined;
  /** The URL of a path below the assets folder. */
  readonly toUrl: (path: string) => string;
  readonly onFinding: (finding: Finding) => void;
  /** The number of concurrent requests to the service. */
  readonly requestsAtOnce: number;
  /** In milliseconds since the epoch. @default `Date.now` */
  readonly clock?: (() => number) | undefined;
}
