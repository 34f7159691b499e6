import type { RefusedAsset } from './refused-asset.ts';
import type {
  CachedSource,
  FileReference,
  FileSource,
  PictureReference,
  Source,
  SourceReference,
} from './source.ts';

/** The sources of one run: each is downloaded at most once, each asset checked as seldom as `AssetChecks` can. */
export interface Sources {
  /**
   * A source, from the cache where that is current. In a build the asset is checked with the service
   * first; in dev that happens in the background, for the next time.
   *
   * @throws what the client throws, where nothing cached may be used; `asset-unknown`,
   * `asset-withdrawn`; `download-not-a-picture`, `picture-too-large`; `file-empty`,
   * `file-too-large`; `cache-unusable`
   */
  get: Get;
  /** The version in the cache; no request is made. */
  cached(reference: SourceReference): Promise<CachedSource | undefined>;
  /** Whether a source of this run is under way, or has been got. */
  isAsked(reference: SourceReference): boolean;
  /**
   * Checks those of an asset's sources that are cached; without any, the first is fetched.
   *
   * @throws as `get`; also for a source that the service has refused earlier in this run
   */
  check(id: number, references: readonly SourceReference[]): Promise<void>;
  /** Whether the service has refused, in this run, a source that was cached. */
  isDropped(reference: SourceReference): boolean;
  /** Asks for a source once more, whatever this run knows of it. Throws as `get` does. */
  renewed(reference: SourceReference): Promise<CachedSource>;
  /** Downloads a source whose bytes are gone from the cache. */
  download(reference: SourceReference): Promise<CachedSource>;
  refusal(id: number): RefusedAsset | undefined;
  /** When the asset was last checked, where it could not be in this run; ms since the epoch. */
  staleSince(id: number): number | undefined;
  counts(): { readonly downloads: number; readonly checks: number };
  /** Ends when no check goes on in the background. */
  settled(): Promise<void>;
}

interface Get {
  (reference: PictureReference): Promise<Source>;
  (reference: FileReference): Promise<FileSource>;
  (reference: SourceReference): Promise<CachedSource>;
}
