/** A tag with its props. The page shows both the code and what it renders, made from this one value. */
export interface Example {
  readonly title: string;
  readonly text: string;
  readonly component: 'MediaAsset' | 'MediaCredit' | 'MediaCredits' | 'MediaFile' | 'MediaVideo';
  readonly props: Readonly<Record<string, unknown>> & { readonly id?: number };
  /** The page of the docs, with a heading. */
  readonly guide: string;
}

export const hero: Example = {
  title: 'A crop',
  text: '',
  component: 'MediaAsset',
  props: {
    id: 4718,
    crop: { x: 1500, y: 800, width: 2000, height: 1100 },
    width: 720,
    alt: 'A fishing boat at sunrise',
  },
  guide: 'guides/images/#show-part-of-an-image',
};

export const examples: readonly Example[] = [
  {
    title: 'A crop in pixels',
    text: 'A rectangle of the original, as an editor has chosen it.',
    component: 'MediaAsset',
    props: {
      id: 4718,
      crop: { x: 1500, y: 800, width: 2000, height: 1100 },
      width: 400,
      alt: 'A fishing boat at sunrise',
    },
    guide: 'guides/images/#show-part-of-an-image',
  },
  {
    title: 'A crop in fractions',
    text: 'The left half, in whatever size the original has.',
    component: 'MediaAsset',
    props: {
      id: 4720,
      crop: { x: 0, y: 0, width: 0.5, height: 1, unit: 'fraction' },
      width: 300,
    },
    guide: 'guides/images/#show-part-of-an-image',
  },
  {
    title: 'A shape around a focus point',
    text: 'The largest square that keeps the face.',
    component: 'MediaAsset',
    props: { id: 4727, aspect: '1:1', focus: { x: 0.5, y: 0.3 }, width: 300 },
    guide: 'guides/images/#show-part-of-an-image',
  },
  {
    title: 'A shape around what draws the eye',
    text: 'No one has chosen a point, so the build looks for one.',
    component: 'MediaAsset',
    props: { id: 4719, aspect: '1:1', focus: 'attention', width: 300 },
    guide: 'guides/images/#show-part-of-an-image',
  },
  {
    title: 'A filled box',
    text: 'Width and height of your layout, and the side that stays.',
    component: 'MediaAsset',
    props: { id: 4722, width: 300, height: 300, position: 'right' },
    guide: 'guides/images/#fill-a-box-of-another-shape',
  },
  {
    title: 'Another crop on phones',
    text: 'Make the window narrow: below 40 em, the image is a square around the boat.',
    component: 'MediaAsset',
    props: {
      id: 4718,
      width: 400,
      sources: [
        { media: '(max-width: 40em)', aspect: '1:1', focus: { x: 0.6, y: 0.6 }, width: 300 },
      ],
      alt: 'The harbour at dawn',
    },
    guide: 'guides/images/#show-a-different-crop-on-small-screens',
  },
  {
    title: 'AVIF, with a placeholder',
    text: 'Browsers take AVIF if they can, and show a blur of the image until it has loaded.',
    component: 'MediaAsset',
    props: { id: 4723, formats: ['avif', 'webp'], placeholder: 'blur', width: 400 },
    guide: 'guides/images/#publish-avif-or-change-the-quality',
  },
  {
    title: 'A credit',
    text: "From the asset's record in the service.",
    component: 'MediaCredit',
    props: { id: 4723 },
    guide: 'guides/records/#show-the-credit',
  },
  {
    title: 'A file',
    text: 'A link with the type and size of a document.',
    component: 'MediaFile',
    props: { id: 4733 },
    guide: 'guides/files-and-video/',
  },
  {
    title: 'A video',
    text: 'With an image of the library as its poster.',
    component: 'MediaVideo',
    props: { id: 4732, name: 'The harbour at dawn', poster: 4722, width: 400 },
    guide: 'guides/files-and-video/#show-a-video-with-a-poster-and-captions',
  },
  {
    title: 'All credits of a site',
    text: 'The images of this website, with their photographers and pages.',
    component: 'MediaCredits',
    props: {},
    guide: 'guides/records/#list-all-credits',
  },
];

/** Examples without a component of ours are files: the page shows their source, and what it renders. */
export const sources = [
  {
    path: 'in-markdown.md',
    language: 'md',
    title: 'An image in Markdown',
    text: 'No import, in pages and in content collections.',
    asset: 4721,
    guide: 'guides/markdown/',
  },
  {
    path: 'OwnHtml.astro',
    language: 'astro',
    title: 'Your own HTML',
    text: 'Attributes for an image element, and URLs for anything else.',
    asset: 4724,
    guide: 'guides/css-open-graph-feeds/',
  },
] as const;

/** The example as an author writes it. */
export function codeOf({ component, props }: Example): string {
  const parts = Object.entries(props).map(([name, value]) =>
    typeof value === 'string' ? `${name}="${value}"` : `${name}={${literal(value)}}`,
  );
  const line = `<${[component, ...parts].join(' ')} />`;
  return line.length <= 60
    ? line
    : `<${component}\n${parts.map((part) => `  ${part}\n`).join('')}/>`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${literal(field)}`);
  return `{ ${fields.join(', ')} }`;
}

/** The assets that an example shows. `MediaCredits` shows those of all pages. */
export function assetsOf({ props, component }: Example): number[] {
  if (component === 'MediaCredit') return [];
  return [props.id, props.poster].filter((id) => typeof id === 'number');
}
