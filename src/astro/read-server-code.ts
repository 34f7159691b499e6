import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaAssetError } from '../errors.ts';
import { findRenditions, type RenditionAddress } from '../images/rendition-url.ts';
import { failureMarker, readFailure } from './markdown-failure.ts';
import { refusalMarker } from './refusals.ts';

/** What Markdown has put into the code of a server. */
export interface NamedInServerCode {
  readonly renditions: readonly RenditionAddress[];
  /** Assets that were refused. */
  readonly refused: readonly number[];
  /** Pictures that could not be made. */
  readonly failures: readonly MediaAssetError[];
}

/** An attribute and its value: in HTML within a string, or as a property of JSX. */
const attribute = (name: string, value: string) => new RegExp(`${name}\\W{1,6}(${value})`, 'g');

/**
 * Reads what a server was built of. Of Markdown the HTML is in it, also of entries of content
 * collections that no page shows; components ask for their pictures as they run.
 *
 * @param dir need not be there
 */
export async function readServerCode(dir: string): Promise<NamedInServerCode> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(
    (thrown: NodeJS.ErrnoException) => {
      if (thrown.code === 'ENOENT') return [];
      throw thrown;
    },
  );
  const read: NamedInServerCode[] = [];
  for (const { parentPath, name } of entries.filter((entry) => isCode(entry))) {
    read.push(namedIn(await readFile(join(parentPath, name), 'utf8')));
  }
  return {
    renditions: read.flatMap(({ renditions }) => renditions),
    refused: read.flatMap(({ refused }) => refused),
    failures: read.flatMap(({ failures }) => failures),
  };
}

function namedIn(text: string): NamedInServerCode {
  const refused = text.matchAll(attribute(refusalMarker, '[1-9]\\d*'));
  const failures = text.matchAll(attribute(failureMarker, '[\\w-]+'));
  return {
    renditions: findRenditions(text),
    refused: Array.from(refused, ([, id]) => Number(id)),
    failures: Array.from(failures, ([, value = '']) => readFailure(value)).filter(
      (failure) => failure !== undefined,
    ),
  };
}

/** Astro leaves what it prerenders with in a folder of its own, which is no part of the server. */
function isCode(entry: { name: string; parentPath: string; isFile(): boolean }): boolean {
  return (
    entry.isFile() &&
    /\.[cm]?js$/.test(entry.name) &&
    !entry.parentPath.split(/[/\\]/).includes('.prerender')
  );
}
