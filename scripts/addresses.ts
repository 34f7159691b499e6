import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastGlob from 'fast-glob';

/** Each place has these words until the repository's address is known. */
const unknownRepository = '<owner>/astro-media-asset';

const constant = 'src/errors/homepage.ts';
const unset = "homepage: string = '';";

const textFiles = ['*.md', 'docs/**/*.md', 'examples/**/*.{md,json,mjs}'];

interface Manifest {
  readonly description: string;
  readonly [field: string]: unknown;
}

/** The places under `root` that wait for an address: files, and fields of `package.json`. */
export async function waitingPlaces(root: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const fields = ['homepage', 'repository', 'bugs'].filter((field) => !manifest[field]);
  const texts: string[] = [];
  for (const file of (await fastGlob(textFiles, { cwd: root, ignore: ['**/node_modules'] })).sort())
    if ((await readFile(join(root, file), 'utf8')).includes(unknownRepository)) texts.push(file);
  const source = await readFile(join(root, constant), 'utf8');
  return [
    ...(source.includes(unset) ? [constant] : []),
    ...fields.map((field) => `package.json: ${field}`),
    ...texts,
  ];
}

/**
 * Sets all of them. Addresses that are set already stay.
 *
 * @param repository on GitHub, such as `museum/astro-media-asset`
 * @param homepage without a slash at its end
 */
export async function setAddresses(root: string, repository: string, homepage: string) {
  const change = async (file: string, edit: (text: string) => string) => {
    const path = join(root, file);
    await writeFile(path, edit(await readFile(path, 'utf8')));
  };
  for (const place of await waitingPlaces(root)) {
    if (place === constant)
      await change(place, (text) => text.replace(unset, `homepage: string = '${homepage}';`));
    else if (!place.startsWith('package.json: '))
      await change(place, (text) => text.replaceAll(unknownRepository, repository));
  }
  await change('package.json', (text) => {
    const { name, version, description, ...others }: Manifest = JSON.parse(text);
    const addresses = {
      homepage,
      repository: { type: 'git', url: `git+https://github.com/${repository}.git` },
      bugs: `https://github.com/${repository}/issues`,
    };
    const manifest = { name, version, description, ...addresses, ...others };
    return `${JSON.stringify(manifest, null, 2)}\n`;
  });
}
