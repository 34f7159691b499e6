import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assetIdPattern, parseAssetId } from '../../errors/asset-id.ts';

const sourceFile = /\.(astro|mdx?|[cm]?[jt]sx?|svelte|vue)$/;

/** In bytes. Larger files aren't written by people. */
const largestFile = 1024 ** 2;

/** Finds the assets that a site's source files name, so that a first build can fetch them early. */
export async function readNamedAssets(folder: string): Promise<number[]> {
  // Astro itself reports folders and files that can't be read.
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found: number[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const about = sourceFile.test(name) ? await stat(path).catch(() => undefined) : undefined;
    if (!about || about.size > largestFile) continue;
    found.push(...findNamedAssets(await readFile(path, 'utf8').catch(() => '')));
  }
  return found;
}

/** The most characters of a component or call that are searched. */
const longestText = 2000;

const start = /<MediaAsset\b|\bgetMediaAsset\(/g;
const end = /\/>|\)/;
const id = new RegExp(`(?<![\\w-])id(?:=\\{|:)\\s*(${assetIdPattern})\\b`);
const address = new RegExp(`\\bmedia:(${assetIdPattern})\\b`, 'g');

const longestLink = 300;

/** Before the address of a file. Files can be large and aren't fetched on a guess. */
const link = /(?:(?<!!)\[[^[\]]*\]\(<?|\bhref=["']?)\s*$/;

/**
 * The IDs that a source file names literally: in components, calls and Markdown. It's a guess that can
 * miss assets or find too many. It only lets downloads start early; pages decide.
 */
function findNamedAssets(text: string): number[] {
  const inCode = Array.from(text.matchAll(start), ({ index, 0: { length } }) => {
    const props = text.slice(index + length, index + length + longestText).split(end)[0];
    return id.exec(props ?? '')?.[1];
  });
  const inAddresses = Array.from(text.matchAll(address), ({ 1: found, index }) =>
    link.test(text.slice(Math.max(0, index - longestLink), index)) ? undefined : found,
  );
  return [...inCode, ...inAddresses].flatMap((digits) => parseAssetId(digits) ?? []);
}
