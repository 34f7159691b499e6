import type { Emulator } from 'astro-media-asset/emulator';
import { assetsOf, examples, hero, sources } from '../../src/examples.ts';

interface Reported {
  readonly emulator: Emulator;
  /** Of the website, with a slash at its end. */
  readonly address: string;
}

/** Compares the service's list with the assets that the sources of the pages name. */
export function findUsageProblems({ emulator, address }: Reported): string[] {
  const pairs = [
    ...assetsOf(hero).map((id) => `${id} ${address}`),
    ...[...examples.flatMap(assetsOf), ...sources.map(({ asset }) => asset)].map(
      (id) => `${id} ${address}examples/`,
    ),
  ];
  const wanted = new Set(pairs);
  const listed = emulator.usages().map(({ asset, page }) => `${asset} ${page}`);
  return [
    ...[...wanted.difference(new Set(listed))].map((pair) => `The service doesn't list ${pair}.`),
    ...listed
      .filter((pair, at) => !wanted.has(pair) || listed.indexOf(pair) !== at)
      .map((pair) => `The service lists ${pair}.`),
  ];
}
