import type { JudgePicture } from './download-picture.ts';
import type { RefusedAsset } from './refused-asset.ts';
import type {
  CachedSource,
  CropReference,
  FileReference,
  FileSource,
  OriginalReference,
  PictureReference,
  Source,
  SourceReference,
} from './source.ts';

/** The sources of one run: each is downloaded at most once, each asset checked once. */
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
  /**
   * A crop by the service, from the cache or the service; it's never checked again.
   *
   * @param judge throws for a crop that is not what was asked for
   * @throws what the client and `judge` throw; `crop-refused`; `download-not-a-picture`
   */
  crop(reference: CropReference, judge: JudgePicture): Promise<Source>;
  /**
   * Checks the originals that an asset's sources belong to; without a cached one, fetches it.
   *
   * @throws as `get`
   */
  check(id: number, references: readonly SourceReference[]): Promise<void>;
  /** Asks for an original once more, whatever this run knows of it. Throws as `get` does. */
  renewed(original: OriginalReference): Promise<Source>;
  /** Downloads a source whose bytes are gone from the cache. */
  download(reference: SourceReference): Promise<CachedSource>;
  refusal(id: number): RefusedAsset | undefined;
  /** @see Refusals.judge */
  judgeRefusals(): Promise<readonly number[]>;
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
