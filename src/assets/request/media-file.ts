/** What `<MediaFile>` and `<MediaVideo>` ask for. Values come from templates and are checked. */
export interface MediaFileRequest {
  /** The asset's id in the service. */
  readonly id: number;
  /** What the file is called on the page and in its address. @default its name in the service */
  readonly name?: string | undefined;
  /** The language of `sizeText` and `text`, such as `nb` or `en-GB`; another text is `en`. @default 'en' */
  readonly locale?: string | undefined;
  /** What the page does with it: anything but a video is refused for `video`. */
  readonly as?: 'file' | 'video' | undefined;
  /** The page that names it, as messages name that. */
  readonly page: string;
}

/** A file that the site publishes as it is. */
export interface MediaFile {
  readonly id: number;
  /** What it is called: `Annual report`. */
  readonly name: string;
  readonly src: string;
  /** The absolute address; `src` where the Astro config has no `site`. */
  readonly url: string;
  /** For the attribute `download`: `Annual report.pdf`. */
  readonly fileName: string;
  readonly contentType: string;
  /** The type as people know it: `PDF`. */
  readonly typeText: string;
  /** In bytes. */
  readonly size: number;
  /** `2.4 MB` */
  readonly sizeText: string;
  /** `Annual report (PDF, 2.4 MB)` */
  readonly text: string;
  /** Of a video's picture, in pixels, where its file says it. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** The service's download address. */
  readonly originalUrl: string;
}
