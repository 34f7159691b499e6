import { existsSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Element } from 'hast';
import { markFailure } from '../../assets/formats/markers.ts';
import type { PageAssets } from '../../assets/page-assets.ts';
import { labelledPlaceholder } from '../../assets/renditions/missing-image.ts';
import { askingInFile } from '../../assets/request/asking.ts';
import { checkImageAttributes } from '../../assets/request/check-props.ts';
import { parseFileAddress, parseMediaAddress } from '../../assets/request/media-address.ts';
import type { MediaAssetRequest } from '../../assets/request/media-asset.ts';
import { isUnavailable } from '../../assets/sources/asset-errors.ts';
import type { ShownAsset } from '../../authoring/toolbar/protocol.ts';
import type { SiteLanguages } from '../../config/languages.ts';
import { parseAssetId } from '../../errors/asset-id.ts';
import { isMediaAssetError, type MediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject, Place, Subject } from '../../errors/place.ts';
import type { DevFile } from '../renderer.ts';
import { type Attributes, element, imageElement, toHtml } from './image-element.ts';

export interface MarkdownText {
  /** The absolute path of its file. A loader can render a text without a file. */
  readonly file: string | undefined;
  /** The processor's input, often without the file's frontmatter. */
  readonly text: string;
}

export interface FoundImage {
  readonly address: string;
  /** `undefined` if the author wrote none. */
  readonly alt: string | undefined;
  /** Other attributes, by HTML name. */
  readonly attributes: Attributes;
  /** In the text, counted from 1. */
  readonly line: number | undefined;
}

interface FoundLink extends Pick<FoundImage, 'address' | 'line'> {
  readonly text: string;
}

interface LinkedFile {
  /** By HTML name. Without `href` if there's no file. */
  readonly attributes: Attributes;
  /** For a link without a text: `Annual report (PDF, 2.4 MB)`. */
  readonly text: string;
}

export type MarkdownRenderer = ReturnType<typeof createMarkdownRenderer>;

/** Events for the build or the dev server while Markdown is rendered. */
export interface MarkdownEvents {
  /** The HTML contains one of our URLs. */
  onShown(html: string, subject: Subject): void;
  /** The service refuses an asset. A marker takes its place in the HTML. */
  onRefused(asked: AssetSubject, error: MediaAssetError): void;
  /** Any other error. A marker takes the asset's place in the HTML. */
  onFailure(thrown: unknown): void | Promise<void>;
}

/** Attributes of `<img>` that are props of `<MediaAsset>`. */
const props = ['width', 'height', 'sizes'] as const;

/** Renders Markdown's images and links as components do. Builds collect refused assets. */
export function createMarkdownRenderer(site: {
  images: Pick<PageAssets, 'getMediaAsset' | 'getMediaFile'>;
  root: string;
  languages: SiteLanguages;
  isBuild: boolean;
  events: MarkdownEvents;
}) {
  const { images, root, languages, isBuild, events } = site;
  /** How far the last text is from the start of its file: its images come one after another. */
  let last = { file: '', text: '', shift: textShift('', '') };

  /** Names a line of a Markdown text. Leaves out the line if the text isn't found in its file. */
  function subjectOf({ file, text }: MarkdownText, line: number | undefined): Subject {
    if (file === undefined) return { caller: 'Markdown without a file' };
    if (!isBuild || last.file !== file || last.text !== text) {
      // Waits for nothing: meanwhile, other texts would begin, and stay in memory too.
      const whole = existsSync(file) ? readFileSync(file, 'utf8') : '';
      last = { file, text, shift: textShift(whole, text) };
    }
    const name = relative(root, file).replaceAll(sep, '/');
    return { place: { file: name, line: line && last.shift && last.shift.lines + line } };
  }

  /** @param file absolute */
  const askingOf = (subject: AssetSubject, file: string | undefined) =>
    askingInFile(subject, file && relative(root, file), languages);

  async function orRefused<T>(asked: AssetSubject, work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (thrown) {
      if (!isBuild || !isUnavailable(thrown)) throw thrown;
      const { id, place, caller } = asked;
      events.onRefused({ id, place, caller }, thrown);
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
      await events.onFailure(thrown);
      return show(isMediaAssetError(thrown) ? thrown : undefined);
    }
  }

  async function render(
    image: FoundImage,
    { subject, file }: { subject: Subject; file: string | undefined },
  ): Promise<Element> {
    const address = parseMediaAddress(image.address, subject);
    const { id, priority = false, decoration, ...addressed } = address;
    const alt = decoration ? '' : image.alt;
    const written = { ...image.attributes };
    checkImageAttributes(written, { ...subject, id });
    const request: Record<string, unknown> = { ...addressed };
    for (const name of props) {
      request[name] ??= written[name];
      delete written[name];
    }
    // Without the attribute, the audit of Astro's dev toolbar suggests the `<Image>` component.
    const attributes = isBuild ? written : { 'data-image-component': 'true', ...written };
    // The values come from a text. `getMediaAsset` checks them like those of a template.
    const asked = { ...request, id, alt } as MediaAssetRequest;
    const asking = askingOf({ ...subject, id }, file);
    const asset = await orRefused(asking, images.getMediaAsset(asked, asking));
    return imageElement(asset ?? { id }, { alt, priority, attributes });
  }

  async function renderLink(
    { address, text }: FoundLink,
    { subject, file: source }: { subject: Subject; file: string | undefined },
  ): Promise<LinkedFile> {
    const { id, name = text, download } = parseFileAddress(address, subject);
    const asking = askingOf({ ...subject, id }, source);
    const asked = { id, name: name.trim() || undefined };
    const work: Promise<DevFile | undefined> = images.getMediaFile(asked, asking);
    const file = await orRefused(asking, work);
    if (!file) return { attributes: { 'data-media-asset-unavailable': String(id) }, text: name };
    const attributes = {
      'data-media-asset': String(id),
      href: file.src,
      type: file.contentType,
      download: download ? file.fileName : undefined,
      'data-media-asset-toolbar': file.toolbar,
    };
    return { attributes, text: file.text };
  }

  return {
    async image(image: FoundImage, text: MarkdownText): Promise<Element> {
      const subject = subjectOf(text, image.line);
      const rendered = await orFailure(render(image, { subject, file: text.file }), (error) =>
        failedElement(image.address, error, { place: subject.place, isBuild }),
      );
      events.onShown(toHtml(rendered), subject);
      return rendered;
    },
    async link(link: FoundLink, text: MarkdownText): Promise<LinkedFile> {
      const subject = subjectOf(text, link.line);
      const file = await orFailure(renderLink(link, { subject, file: text.file }), (error) => ({
        attributes: { ...markFailure(error), title: error?.message },
        text: link.text,
      }));
      events.onShown(file.attributes.href ?? '', subject);
      return file;
    },
  };
}

/** How far a text is from the start of its file; `undefined` if the file lacks the text. */
export function textShift(
  whole: string,
  text: string,
): { readonly lines: number; readonly characters: number } | undefined {
  const body = text.trim();
  // Frontmatter can have the same text, before it.
  const [inFile, inText] = [whole.lastIndexOf(body), text.indexOf(body)];
  if (inFile < 0) return undefined;
  const lines = countLines(whole.slice(0, inFile)) - countLines(text.slice(0, inText));
  return { lines, characters: inFile - inText };
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/** @param place in dev, for the toolbar */
function failedElement(
  address: string,
  error: MediaAssetError | undefined,
  { place, isBuild }: { place: Place | undefined; isBuild: boolean },
): Element {
  if (!error) return element('img', {});
  return element('img', {
    ...markFailure(error),
    'data-media-asset-toolbar': isBuild ? undefined : describeFailed(address, error, place),
    src: labelledPlaceholder(address, error),
    alt: error.message,
    // The size of an image whose address is a mistake is unknown.
    width: '640',
    height: '240',
  });
}

/** The image as the toolbar gets it. `undefined` for an address without an ID. */
function describeFailed(
  address: string,
  { message }: MediaAssetError,
  place: Place | undefined,
): string | undefined {
  const id = parseAssetId(/^media:([^?]*)/i.exec(address)?.[1]);
  if (id === undefined) return undefined;
  const shown: ShownAsset = { id, alt: '', props: {}, place, problems: [message] };
  return JSON.stringify(shown);
}
