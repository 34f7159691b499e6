import type { CatalogueEntries } from './catalogue-entries.ts';
import { oneLine, show } from './wording.ts';

/** What a page asks for: props, crops. */
export const requestErrors = {
  'asset-id-invalid': {
    message: (details: { value: unknown; page: string }) =>
      `${details.page}: ${show(details.value)} is not an asset id.`,
    hint: 'Write an asset id as the service shows it, a positive integer: id={4711}, or { id: 4711, … } in a call. Separate several with spaces in `data-media-asset`.',
  },
  'alt-missing': {
    message: (details: { id: number; page: string }) =>
      `${details.page}: the picture of asset ${details.id} has no \`alt\`.`,
    hint: 'Say what the picture shows. If it is only decoration: alt="", in Markdown ![](media:4711?decoration).',
  },
  'prop-invalid': {
    message: (details: {
      id: number;
      page: string;
      name: string;
      value: unknown;
      expected: string;
    }) =>
      `${details.page}: asset ${details.id} has ${details.name}=${show(details.value)}; expected ${details.expected}.`,
    hint: 'Correct the prop of the component, the argument of getMediaAsset or getMediaFile, or the parameter of the media: address there.',
  },
  'prop-unknown': {
    message: (details: { page: string; tag: string; name: string; valid: readonly string[] }) =>
      `Unknown prop \`${oneLine(details.name)}\` on ${details.tag} on ${details.page}. Valid props: ${details.valid.join(', ')}.`,
    hint: 'Correct the prop, or remove it. Start an attribute of your own with data-.',
  },
  'parameter-unknown': {
    message: (details: { id: number; page: string; name: string; valid: readonly string[] }) =>
      `${details.page}: Unknown parameter \`${oneLine(details.name)}\` of asset ${details.id}. Valid parameters: ${details.valid.join(', ')}.`,
    hint: 'Correct the parameter in the address, or remove it.',
  },
  'crop-invalid': {
    message: (details: { id: number; page: string; problem: string; value: unknown }) =>
      `${details.page}: the crop of asset ${details.id} is not usable: ${details.problem}; received ${show(details.value)}.`,
    hint: "Write { x, y, width, height } in whole pixels of the original as displayed, x and y from 0, width and height from 1. With unit: 'fraction', write fractions of it from 0 to 1, where x + width and y + height are 1 at most. In a media: address: crop=x,y,width,height; with a decimal point in fractions.",
  },
  'crop-outside': {
    message: (details: { id: number; page: string; crop: string; width: number; height: number }) =>
      `${details.page}: the crop ${details.crop} of asset ${details.id} reaches outside its picture, which has ${details.width} × ${details.height} pixels.`,
    hint: 'Choose a rectangle inside the picture. Asset versions can differ in size: look it up in the service.',
  },
} satisfies CatalogueEntries;
