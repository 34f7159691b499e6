import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { factsName, readFacts } from '../../src/assets/store/asset-facts.ts';
import { readAssetFolder, readKey, serviceFolder } from '../../src/assets/store/asset-folder.ts';
import { contentsOf, emulatorClient, openImages } from '../assets/open-images.ts';
import { type BuiltFolder, createBuiltFolder } from '../support/site/built-folder.ts';
import type { Run } from '../support/site/site.ts';

/** A project with a build's cache: all of asset 4711, and a crop of 4712 with a placeholder. */
export interface FilledCache {
  readonly folder: BuiltFolder;
  readonly cacheDir: string;
  /** Runs `media-asset cache` in the project. */
  command(...words: string[]): Promise<Run>;
  /** Creates the files of the build. */
  build(): Promise<void>;
  /** The bytes of every content. */
  contents(): Promise<Buffer[]>;
  /** The file with an entry's bytes. */
  contentOf(id: number, kind: string): Promise<string>;
  /** The path of an asset's facts. */
  factsOf(id: number): string;
  setChecked(id: number, time: number): Promise<void>;
}

export async function fillCache(service: { readonly url: string }): Promise<FilledCache> {
  const folder = await createBuiltFolder();
  const cacheDir = folder.path('node_modules/.astro/media-asset');
  const build = async () => {
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
  };
  await build();
  const folderOf = (id: number) => join(serviceFolder(cacheDir, service.url), String(id));
  return {
    folder,
    cacheDir,
    build,
    command: (...words) => folder.command(['cache', ...words]),
    contents: () => contentsOf(cacheDir),
    async contentOf(id, kind) {
      const path = folderOf(id);
      const { renditions } = readAssetFolder(path);
      const sources = Object.values(readFacts(path)?.sources ?? {});
      const source = sources.find((one) => one.reference.kind === kind);
      const name = source?.hash ?? renditions.find(({ key }) => readKey(key).kind === kind)?.name;
      if (name === undefined) throw new Error(`There is no ${kind} of asset ${id}.`);
      return join(path, name);
    },
    factsOf: (id) => join(folderOf(id), factsName),
    async setChecked(id, time) {
      const path = join(folderOf(id), factsName);
      const facts = JSON.parse(await readFile(path, 'utf8'));
      await writeFile(path, JSON.stringify({ ...facts, checkedAt: time }));
    },
  };
}
