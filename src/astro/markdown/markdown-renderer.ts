import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { Assets } from '../../assets/assets.ts';
import { parseFileAddress, parseMediaAddress } from '../../assets/request/media-address.ts';
import type { MediaAssetRequest } from '../../assets/request/media-asset.ts';
import { checkImageAttributes } from '../../assets/request/read-props.ts';
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
  type PictureElement,
  pictureElement,
  refusedElement,
  toHtml,
} from './picture-element.ts';

export interface MarkdownText {
  /** The absolute path of its file; a loader can render a text that has none. */
  readonly file: string | undefined;
  /** What the processor was given: often without the file's frontmatter. */
  readonly text: string;
}

/** An image of Markdown whose address is one of ours. */
export interface FoundImage {
  readonly address: string;
  /** `undefined` if the author has written none. */
  readonly alt: string | undefined;
  /** The other attributes, by their names in HTML. */
  readonly attributes: Attributes;
  /** Attributes whose value is not known before the page is rendered (MDX). */
  readonly computed?: readonly string[];
  /** Of the text, from 1. */
  readonly line: number | undefined;
}

/** A link of Markdown whose address is one of ours. */
interface FoundLink {
  readonly address: string;
  readonly text: string;
  /** Of the text, from 1. */
  readonly line: number | undefined;
}

interface LinkedFile {
  /** By their names in HTML; without `href` where there is no file. */
  readonly attributes: Attributes;
  /** For a link that says nothing: `Annual report (PDF, 2.4 MB)`. */
  readonly text: string;
}

/** Turns what Markdown names into what the components render. Throws nothing of its own. */
export interface MarkdownRenderer {
  image(image: FoundImage, text: MarkdownText): Promise<PictureElement>;
  link(link: FoundLink, text: MarkdownText): Promise<LinkedFile>;
}

/** What the rendering of Markdown tells the build or the dev server. */
export interface MarkdownEvents {
  /** An address of ours that the HTML holds, in HTML. */
  onShown(html: string, place: string): void;
  /** An asset that the service refuses; its place in the HTML is marked. */
  onRefused(id: number, error: MediaAssetError): void;
  /** Anything else that was wrong with an asset; its place in the HTML is marked. */
  onFailure(error: MediaAssetError): void | Promise<void>;
  /** What is no error of ours. */
  onUnexpected(thrown: unknown): void;
}

/** Attributes of `<img>` that are props of the component. */
const props = ['width', 'height', 'sizes'] as const;

/**
 * @param root the project's folder
 * @param isBuild whether unavailable assets are gathered, and not shown as failures
 */
export function createMarkdownRenderer({
  images,
  root,
  isBuild,
  events,
}: {
  images: Pick<Assets, 'getMediaAsset' | 'getMediaFile'>;
  root: string;
  isBuild: boolean;
  events: MarkdownEvents;
}): MarkdownRenderer {
  async function orRefused<T>(id: number, work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (thrown) {
      if (!isBuild || !isMediaAssetError(thrown, 'asset-unknown', 'asset-withdrawn')) throw thrown;
      events.onRefused(id, thrown);
      return undefined;
    }
  }

  async function orFailure<T>(
    work: Promise<T>,
    show: (marks: { marker: Attributes; message: string }) => T,
  ): Promise<T> {
    try {
      return await work;
    } catch (thrown) {
      if (!isMediaAssetError(thrown)) {
        events.onUnexpected(thrown);
        return show({ marker: {}, message: '' });
      }
      await events.onFailure(thrown);
      const marker = { [failureMarker]: formatFailure(thrown) };
      return show({ marker, message: thrown.message });
    }
  }

  async function render(image: FoundImage, page: string): Promise<PictureElement> {
    const { id, picture, priority, decoration } = parseMediaAddress(image.address, page);
    const computed = image.computed?.[0];
    if (computed !== undefined) {
      const expected = 'a text in quotes; values that are computed go with <MediaAsset>';
      throw mediaAssetError('prop-invalid', { id, page, name: computed, value: '{…}', expected });
    }
    const alt = decoration ? '' : image.alt;
    if (alt === undefined) throw mediaAssetError('alt-missing', { id, page });
    const written = { ...image.attributes };
    checkImageAttributes(written, { id, page });
    const request: Record<string, unknown> = { ...picture };
    for (const name of props) {
      request[name] ??= written[name];
      delete written[name];
    }
    const shown = { alt, priority, attributes: written };
    // The values come from a text, and are checked there like those of a template.
    const asked = { ...request, id, alt, page } as MediaAssetRequest;
    const asset = await orRefused(id, images.getMediaAsset(asked));
    return asset ? pictureElement(asset, shown) : refusedElement(id, shown);
  }

  async function renderLink({ address, text }: FoundLink, page: string): Promise<LinkedFile> {
    const { id, name = text, download } = parseFileAddress(address, page);
    const asked = { id, page, name: name.trim() || undefined };
    const file = await orRefused(id, images.getMediaFile(asked));
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
      const picture = await orFailure(
        render(image, place),
        // Without a source browsers show the text.
        ({ marker, message }) => element('img', { ...marker, alt: message }),
      );
      events.onShown(toHtml(picture), place);
      return picture;
    },
    async link(link, text) {
      const place = await placeOf(link, text);
      const file = await orFailure(renderLink(link, place), ({ marker, message }) => ({
        attributes: { ...marker, title: message },
        text: link.text,
      }));
      events.onShown(file.attributes.href ?? '', place);
      return file;
    },
  };
}

/**
 * Names a line of a Markdown text: `src/content/notes/rope.md:12`. Without the line where the text
 * is not found in its file.
 *
 * @param line of the text, from 1
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

/** How many lines of a file lie before a text of it; `undefined` where it has no such text. */
function linesBefore(whole: string | undefined, text: string): number | undefined {
  const body = text.trim();
  const at = whole?.indexOf(body) ?? -1;
  if (whole === undefined || at < 0) return undefined;
  return countLines(whole.slice(0, at)) - countLines(text.slice(0, text.indexOf(body)));
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/** The line is an addition to a message, which is there without it. */
async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** The attribute that marks a picture of Markdown that could not be made. */
const failureMarker = 'data-media-asset-failed';

const marker = new RegExp(`${failureMarker}="([\\w-]+)"`, 'g');

/**
 * The value of the marker. Astro logs and forgets what is thrown while it renders an entry of a
 * content collection, and keeps the entry without its text. So a failure travels in the HTML, and
 * ends the build that publishes it.
 */
export function formatFailure({ code, message, hint }: MediaAssetError): string {
  return Buffer.from(JSON.stringify({ code, message, hint })).toString('base64url');
}

/** The failures that a built file holds. */
export function findFailures(html: string): MediaAssetError[] {
  // A pattern takes several times as long to find nothing.
  if (!html.includes(failureMarker)) return [];
  return Array.from(html.matchAll(marker), ([, value = '']) => readFailure(value)).filter(
    (failure) => failure !== undefined,
  );
}

/** The failure behind a marker's value; `undefined` for a value of somebody else. */
function readFailure(value: string): MediaAssetError | undefined {
  try {
    const { code, message, hint } = JSON.parse(Buffer.from(value, 'base64url').toString());
    if (!isCode(code)) return undefined;
    return new CatalogueError(code, { message: String(message), hint: String(hint) });
  } catch {
    return undefined;
  }
}
