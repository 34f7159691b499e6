import type { MediaAsset } from './media-asset.ts';

type SetImage = Pick<MediaAsset, 'src' | 'width' | 'sources' | 'renditions'>;

/**
 * The files of an image as CSS's `image-set()`: of each format, the sizes from its layout width on. It
 * leaves out `sources` with a media query.
 */
export function imageSetOf({ src, width, sources, renditions }: SetImage): string {
  const formats = [...sources.filter(({ media }) => media === undefined), { type: '', renditions }];
  const options = formats.flatMap(({ type, renditions }) => {
    const all = renditions.map((one) => ({ url: one.url, density: one.width / width }));
    const large = all.filter(({ density }) => density >= 1);
    return (large.length > 0 ? large : all.slice(-1)).map(
      ({ url, density }) =>
        `${cssUrl(url)}${type && ` type('${type}')`} ${Math.round(density * 100) / 100}x`,
    );
  });
  return `image-set(${options.join(', ') || `${cssUrl(src)} 1x`})`;
}

function cssUrl(url: string): string {
  return `url('${url.replace(/['\\<]/g, '\\$&')}')`;
}
