import type { Problem, ShownAsset } from '../protocol.ts';

/** An image on the page, and what the dev server says about it. */
export interface PageImage {
  readonly element: HTMLImageElement;
  readonly shown: ShownAsset;
  readonly problems: readonly Problem[];
}

/** The images of the page that have a description, in the order of the page. */
export function findPageImages(): PageImage[] {
  const elements = document.querySelectorAll<HTMLImageElement>('img[data-media-asset-toolbar]');
  return [...elements].flatMap((element) => {
    const shown = readShown(element.dataset.mediaAssetToolbar ?? '');
    if (!shown) return [];
    return [{ element, shown, problems: [...shown.problems, ...stretched(element, shown)] }];
  });
}

/** `undefined` for an attribute of another version. */
function readShown(text: string): ShownAsset | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A page can show an image larger than its largest file. */
function stretched(element: HTMLImageElement, { layout, problems }: ShownAsset): Problem[] {
  const largest = layout?.widths.at(-1);
  const width = Math.round(element.getBoundingClientRect().width);
  const isKnown = problems.some(({ code }) => code === 'upscaled');
  if (largest === undefined || width <= largest || isKnown) return [];
  const message = `The page shows it ${width} px wide. The largest file has ${largest} px.`;
  return [{ code: 'upscaled', message }];
}

/** `4711 The quay at dawn` */
export function labelOf({ id, name }: ShownAsset): string {
  return name === undefined ? `Asset ${id}` : `${id} ${name}`;
}
