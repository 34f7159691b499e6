import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { PageAssets } from '../../assets/assets.ts';
import { labelledPlaceholder } from '../../assets/renditions/missing-image.ts';
import { parseFileAddress, parseMediaAddress } from '../../assets/request/media-address.ts';
import type { MediaAsset, MediaAssetRequest } from '../../assets/request/media-asset.ts';
import { checkImageAttributes } from '../../assets/request/read-props.ts';
import { isUnavailable } from '../../assets/sources/asset-errors.ts';
import type { ShownAsset } from '../../authoring/toolbar/protocol.ts';
import { parseAssetId } from '../../errors/asset-id.ts';
import {
  MediaAssetError as CatalogueError,
  isCode,
  isMediaAssetError,
  type MediaAssetError,
  mediaAssetError,
} from '../../errors/errors.ts';
import { unavailableMarker } from '../build/unavailable-assets.ts';
import {
  type Attributes,
  element,
  type ImageElement,
  imageElement,
  toHtml,
} from './image-element.ts';

export interface MarkdownText {
  /** The absolute path of its file. A loader can render a text without a file. */
  readonly file: string | undefined;
  /** The processor's input, often without the file's frontmatter. */
  readonly text: string;
}

/** An image with a `media:` address. */
export interface FoundImage {
  readonly address: string;
  /** `undefined` if the author wrote none. */
  readonly alt: string | undefined;
  /** Other attributes, by HTML name. */
  readonly attributes: Attributes;
  /** Attributes in MDX whose value is only known when the page is rendered. */
  readonly computed?: readonly string[];
  /** In the text, counted from 1. */
  readonly line: number | undefined;
}

/** A link with a `media:` address. */
interface FoundLink {
  readonly address: string;
  readonly text: string;
  /** In the text, counted from 1. */
  readonly line: number | undefined;
}

interface LinkedFile {
  /** By HTML name. Without `href` if there's no file. */
  readonly attributes: Attributes;
  /** For a link without a text: `Annual report (PDF, 2.4 MB)`. */
  readonly text: string;
}

/** Renders images and links in Markdown as the components do. Reports errors by `MarkdownEvents`. */
export interface MarkdownRenderer {
  image(image: FoundImage, text: MarkdownText): Promise<ImageElement>;
  link(link: FoundLink, text: MarkdownText): Promise<LinkedFile>;
}

/** Events for the build or the dev server while Markdown is rendered. */
export interface MarkdownEvents {
  /** The HTML contains one of our URLs. */
  onShown(html: string, place: string): void;
  /** The service refuses an asset. A marker takes its place in the HTML. */
  onRefused(id: number, error: MediaAssetError, place: string): void;
  /** Another of our errors. A marker takes the asset's place in the HTML. */
  onFailure(error: MediaAssetError): void | Promise<void>;
  /** An error that isn't ours. */
  onUnexpected(thrown: unknown): void;
}

/** The images of Markdown. In dev, they have a description for the toolbar. */
export interface MarkdownImages extends Pick<PageAssets, 'getMediaFile'> {
  getMediaAsset(
    request: MediaAssetRequest,
  ): Promise<MediaAsset & { readonly toolbar?: string | undefined }>;
}

/** Attributes of `<img>` that are props of `<MediaAsset>`. */
const props = ['width', 'height', 'sizes'] as const;

/**
 * @param root the project's folder
 * @param isBuild whether refused assets are collected instead of shown as failures
 */
export function createMarkdownRenderer({
  images,
  root,
  localeOf,
  isBuild,
  events,
}: {
  images: MarkdownImages;
  root: string;
  /** The language of a file, whose path is absolute. */
  localeOf: (file: string | undefined) => string | undefined;
  isBuild: boolean;
  events: MarkdownEvents;
}): MarkdownRenderer {
  async function orRefused<T>(
    { id, page }: { id: number; page: string },
    work: Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work;
    } catch (thrown) {
      if (!isBuild || !isUnavailable(thrown)) throw thrown;
      events.onRefused(id, thrown, page);
      return undefined;
    }
  }

  async function orFailure<T>(
    work: Promise<T>,
    show: (error: MediaAssetError | undefined) => T,
  ): Promise<T> {
    try {
      return await work;
    } catch (thrown) {
      if (!isMediaAssetError(thrown)) {
        events.onUnexpected(thrown);
        return show(undefined);
      }
      await events.onFailure(thrown);
      return show(thrown);
    }
  }

  async function render(
    image: FoundImage,
    { page, locale }: { page: string; locale: string | undefined },
  ): Promise<ImageElement> {
    const address = parseMediaAddress(image.address, page);
    const { id, priority = false, decoration, ...addressed } = address;
    const computed = image.computed?.[0];
    if (computed !== undefined) {
      const expected = 'a quoted string (use <MediaAsset> for computed values)';
      throw mediaAssetError('prop-invalid', { id, page, name: computed, value: '{…}', expected });
    }
    const alt = decoration ? '' : image.alt;
    const written = { ...image.attributes };
    checkImageAttributes(written, { id, page });
    const request: Record<string, unknown> = { ...addressed };
    for (const name of props) {
      request[name] ??= written[name];
      delete written[name];
    }
    // Without the attribute, the audit of Astro's dev toolbar suggests the `<Image>` component.
    const attributes = isBuild ? written : { 'data-image-component': 'true', ...written };
    // The values come from a text. `getMediaAsset` checks them like those of a template.
    const asked = { ...request, id, alt, page, locale, inMarkdown: true } as MediaAssetRequest;
    const asset = await orRefused(asked, images.getMediaAsset(asked));
    return imageElement(asset ?? { id }, { alt, priority, attributes });
  }

  async function renderLink({ address, text }: FoundLink, page: string): Promise<LinkedFile> {
    const { id, name = text, download } = parseFileAddress(address, page);
    const asked = { id, page, name: name.trim() || undefined };
    const file = await orRefused(asked, images.getMediaFile(asked));
    if (!file) return { attributes: { [unavailableMarker]: String(id) }, text: name };
    const attributes = {
      'data-media-asset': String(id),
      href: file.src,
      type: file.contentType,
      download: download ? file.fileName : undefined,
    };
    return { attributes, text: file.text };
  }

  const placeOf = ({ line }: { line: number | undefined }, text: MarkdownText) =>
    markdownPlace(text, { root, line });
  return {
    async image(image, text) {
      const place = await placeOf(image, text);
      const asked = { page: place, locale: localeOf(text.file) };
      const rendered = await orFailure(render(image, asked), (error) =>
        failedElement(image.address, error, isBuild ? undefined : place),
      );
      events.onShown(toHtml(rendered), place);
      return rendered;
    },
    async link(link, text) {
      const place = await placeOf(link, text);
      const file = await orFailure(renderLink(link, place), (error) => ({
        attributes: { ...markFailure(error), title: error?.message },
        text: link.text,
      }));
      events.onShown(file.attributes.href ?? '', place);
      return file;
    },
  };
}

/**
 * Names a line of a Markdown text: `src/content/notes/rope.md:12`. Leaves out the line if the text isn't
 * found in its file.
 *
 * @param line in the text, counted from 1
 */
async function markdownPlace(
  { file, text }: MarkdownText,
  { root, line }: { root: string; line: number | undefined },
): Promise<string> {
  if (file === undefined) return 'Markdown without a file';
  const name = relative(root, file).replaceAll(sep, '/');
  const before = line === undefined ? undefined : linesBefore(await readText(file), text);
  return line === undefined || before === undefined ? name : `${name}:${before + line}`;
}

/** The number of lines before a text in its file, or `undefined` if the file lacks the text. */
function linesBefore(whole: string | undefined, text: string): number | undefined {
  const body = text.trim();
  const at = whole?.indexOf(body) ?? -1;
  if (whole === undefined || at < 0) return undefined;
  return countLines(whole.slice(0, at)) - countLines(text.slice(0, text.indexOf(body)));
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/** `undefined` if the file can't be read. Messages then lack the line. */
async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** In pixels. The size of an image whose address is a mistake is unknown. */
const failedSize = { width: 640, height: 240 };

/** @param place in dev, for the toolbar */
function failedElement(
  address: string,
  error: MediaAssetError | undefined,
  place: string | undefined,
): ImageElement {
  if (!error) return element('img', {});
  return element('img', {
    ...markFailure(error),
    'data-media-asset-toolbar': place && describeFailed(address, error, place),
    src: labelledPlaceholder(failedSize, address, error),
    alt: error.message,
    width: String(failedSize.width),
    height: String(failedSize.height),
  });
}

/** The image as the toolbar gets it. `undefined` for an address without an ID. */
function describeFailed(
  address: string,
  { code, message }: MediaAssetError,
  place: string,
): string | undefined {
  const id = parseAssetId(/^media:([^?]*)/i.exec(address)?.[1]);
  if (id === undefined) return undefined;
  const [, file, line] = /^(.+):(\d+)$/.exec(place) ?? [];
  const shown: ShownAsset = {
    ...{ id, alt: '', props: {} },
    place: file === undefined ? undefined : { file, line: Number(line) },
    problems: [{ code: code === 'alt-missing' ? code : 'placeholder', message }],
  };
  return JSON.stringify(shown);
}

/** The attribute that marks a failed image or link in Markdown. */
const failureMarker = 'data-media-asset-failed';

const markFailure = (error: MediaAssetError | undefined): Attributes =>
  error ? { [failureMarker]: formatFailure(error) } : {};

const marker = new RegExp(`${failureMarker}="([\\w-]+)"`, 'g');

/**
 * The value of the marker. Astro only logs an error in an entry of a content collection, and keeps the
 * entry without its text. So the HTML carries the failure, and the build that publishes it fails.
 */
export function formatFailure({ code, message, hint }: MediaAssetError): string {
  return Buffer.from(JSON.stringify({ code, message, hint })).toString('base64url');
}

/** The failures in a built file. */
export function findFailures(html: string): MediaAssetError[] {
  // Most files have none, and a pattern takes several times as long to find that out.
  if (!html.includes(failureMarker)) return [];
  return Array.from(html.matchAll(marker), ([, value = '']) => readFailure(value)).filter(
    (failure) => failure !== undefined,
  );
}

/** Parses a marker's value. `undefined` if we didn't write it. */
function readFailure(value: string): MediaAssetError | undefined {
  try {
    const { code, message, hint } = JSON.parse(Buffer.from(value, 'base64url').toString());
    if (!isCode(code)) return undefined;
    return new CatalogueError(code, { message: String(message), hint: String(hint) });
  } catch {
    return undefined;
  }
}
