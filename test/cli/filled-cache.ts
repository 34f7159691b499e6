import { contentsOf, emulatorClient, openImages } from '../assets/open-images.ts';
import { type BuiltFolder, createBuiltFolder } from '../support/site/built-folder.ts';
import type { Run } from '../support/site/site.ts';

/** A project with a build's cache: all of asset 4711, and a crop of 4712 with a placeholder. */
export interface FilledCache {
  readonly folder: BuiltFolder;
  readonly cacheDir: string;
  /** Runs `media-asset cache` in the project. */
  command(...words: string[]): Promise<Run>;
  /** The bytes of every content. */
  contents(): Promise<Buffer[]>;
}

export async function fillCache(service: { readonly url: string }): Promise<FilledCache> {
  const folder = await createBuiltFolder();
  const cacheDir = folder.path('node_modules/.astro/media-asset');
  const images = openImages({ service: emulatorClient(service), cacheDir });
  const common = { alt: '', page: '/page/', densities: [1] };
  const whole = await images.getMediaAsset({ ...common, id: 4711, width: 160 });
  const crop = { x: 20, y: 10, width: 100, height: 80 };
  const part = await images.getMediaAsset({
    ...common,
    id: 4712,
    crop,
    width: 50,
    placeholder: 'blur',
  });
  await images.publish(whole, part);
  return {
    folder,
    cacheDir,
    command: (...words) => folder.command(['cache', ...words]),
    contents: () => contentsOf(cacheDir),
  };
}
