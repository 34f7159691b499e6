import { baseService, getImage } from 'astro/assets';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fitImage } from '../../../src/assets/geometry/fit-image.ts';
import { layouts, outputSizes } from '../../../src/assets/geometry/output-sizes.ts';
import { parseRequest } from '../../../src/assets/request/parse-request.ts';

const image = { width: 2400, height: 1600 };
const breakpoints = [640, 828, 1280, 2000];

/** The descriptors in `srcset`, and the values that decide which file a browser loads. */
interface Choice {
  readonly layout: string;
  readonly sizes: string | undefined;
  readonly files: readonly string[];
}

type Props = Record<string, unknown>;
type Layout = (typeof layouts)[number];

function ours(props: Props, layout: Layout | undefined): Choice {
  const request = { id: 4711, alt: '', page: '/', ...props };
  const { image: parsed } = parseRequest(request, { layout, breakpoints });
  const fitted = fitImage({ ...parsed, rectangle: { x: 0, y: 0, ...image } });
  const { outputs, sizes } = outputSizes({
    ...fitted,
    image: fitted.rectangle,
    request: parsed.sizes,
    longestSide: 16_383,
  });
  return { layout: parsed.layout, sizes, files: outputs.map(({ descriptor }) => descriptor) };
}

/** The same for Astro's `<Image>` of a file with as many pixels. */
async function astros(props: Props, layout: Layout | undefined): Promise<Choice> {
  const src = { src: '/quay.jpg', format: 'jpeg', ...image };
  const lists = { widths: copied(props.widths), densities: copied(props.densities) };
  type Given = Parameters<typeof getImage>;
  const { attributes, srcSet } = await getImage(
    { src, alt: '', ...props, ...lists } as Given[0],
    { layout, breakpoints } as unknown as Given[1],
    undefined as unknown as Given[2],
  );
  return {
    layout: attributes['data-astro-image'] ?? 'none',
    sizes: attributes.sizes,
    files: srcSet.values.map(({ descriptor }) => descriptor ?? ''),
  };
}

/** A copy, because Astro sorts lists in place. */
function copied(list: unknown): unknown {
  return Array.isArray(list) ? [...list] : undefined;
}

const assets = globalThis as { astroAsset?: unknown };
const service = { ...baseService, transform: () => undefined, getURL: () => '/quay.webp' };
beforeAll(() => {
  assets.astroAsset = { imageService: service };
});
afterAll(() => {
  delete assets.astroAsset;
});

const width = fc.integer({ min: 100, max: image.width / 2 });
const laidOut = fc.constantFrom(...layouts);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const widths = fc.array(fc.integer({ min: 50, max: 5000 }), { minLength: 1, maxLength: 4 });
const sizes = fc.constant('50vw');

describe("match those of Astro's images:", () => {
  test('layout, sizes and widths, from the page or from the Astro config', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ width, layout: optional(laidOut), widths, sizes: optional(sizes) }),
        optional(laidOut),
        async (props, configured) => {
          // Where no one chooses a layout, ours is one that Astro would have to be told.
          const chosen = configured ?? 'constrained';
          expect(ours(props, configured)).toEqual(await astros(props, chosen));
        },
      ),
    );
  });

  test('widths that a layout chooses, also with densities', async () => {
    const responsive = laidOut.filter((layout) => layout !== 'none');
    const densities = optional(fc.constant([1, 1.5, 3]));
    await fc.assert(
      fc.asyncProperty(
        fc.record({ width, densities, sizes: optional(sizes) }),
        responsive,
        fc.boolean(),
        async (props, layout, inConfig) => {
          const page = inConfig ? props : { ...props, layout };
          const configured = inConfig ? layout : undefined;
          expect(ours(page, configured)).toEqual(await astros(page, configured));
        },
      ),
    );
  });

  test('densities without a layout', async () => {
    const props = { width: 600, densities: [1, 2, 3], layout: 'none' };
    const expected = { layout: 'none', sizes: undefined, files: ['1x', '2x', '3x'] };
    expect(await astros(props, 'constrained')).toEqual(expected);
    expect(ours(props, 'constrained')).toEqual(expected);
  });
});
