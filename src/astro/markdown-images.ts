import { isMediaAssetError, type MediaAssetError, mediaAssetError } from '../errors.ts';
import type { Images } from '../images/images.ts';
import { parseMediaAddress } from '../images/media-address.ts';
import type { MediaAssetRequest } from '../images/media-asset.ts';
import { failureMarker, formatFailure } from './markdown-failure.ts';
import { type MarkdownText, markdownPlace } from './markdown-place.ts';
import {
  type Attributes,
  element,
  type PictureElement,
  pictureElement,
  refusedElement,
} from './picture-element.ts';

/** An image of Markdown whose address is one of ours. */
export interface FoundImage {
  readonly address: string;
  /** `undefined` where the author has written none. */
  readonly alt: string | undefined;
  /** The other attributes, by their names in HTML. */
  readonly attributes: Attributes;
  /** Attributes whose value is not known before the page is rendered (MDX). */
  readonly computed?: readonly string[];
  /** Of the text, from 1. */
  readonly line: number | undefined;
}

/** Turns an image of Markdown into the element that `<MediaAsset>` would render. Throws nothing of its own. */
export type RenderImage = (image: FoundImage, text: MarkdownText) => Promise<PictureElement>;

/** What the rendering of Markdown tells the build or the dev server. */
export interface MarkdownEvents {
  onPicture(picture: PictureElement): void;
  /** An asset that the service refuses; its place in the HTML is marked. */
  onRefused(id: number, error: MediaAssetError): void;
  /** Anything else that was wrong with a picture; its place in the HTML is marked. */
  onFailure(error: MediaAssetError): void | Promise<void>;
  /** What is no error of ours. */
  onUnexpected(thrown: unknown): void;
}

/** Attributes that are props of the component. */
const props = ['width', 'height', 'sizes'] as const;

/**
 * @param root the project's folder
 * @param refusals whether refused assets are gathered (in builds), and not shown as failures
 */
export function createMarkdownImages({
  images,
  root,
  refusals,
  events,
}: {
  images: () => Pick<Images, 'getMediaAsset'>;
  root: () => string;
  refusals: boolean;
  events: MarkdownEvents;
}): RenderImage {
  return async (image, text) => {
    const page = await markdownPlace(text, { root: root(), line: image.line });
    try {
      const picture = await render(image, page);
      events.onPicture(picture);
      return picture;
    } catch (thrown) {
      if (!isMediaAssetError(thrown)) {
        events.onUnexpected(thrown);
        return element('img', { alt: image.alt });
      }
      await events.onFailure(thrown);
      // Without a source browsers show the text.
      return element('img', { [failureMarker]: formatFailure(thrown), alt: thrown.message });
    }
  };

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
    const request: Record<string, unknown> = { ...picture };
    for (const name of props) {
      request[name] ??= written[name];
      delete written[name];
    }
    const shown = { alt, priority, attributes: written };
    try {
      // The values come from a text, and are checked there like those of a template.
      const asset = await images().getMediaAsset({
        ...request,
        id,
        alt,
        page,
      } as MediaAssetRequest);
      return pictureElement(asset, shown);
    } catch (thrown) {
      if (!refusals || !isMediaAssetError(thrown, 'asset-unknown', 'asset-withdrawn')) throw thrown;
      events.onRefused(id, thrown);
      return refusedElement(id, shown);
    }
  }
}
