import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, slowest first. None of the others takes as long as these. */
const longest = [
  'usage/histories',
  'assets/decoding-memory',
  'e2e/docs-recipes',
  'e2e/markdown',
  'usage/kill',
  'browser/toolbar-crop',
  'e2e/when-to-report',
  'browser/toolbar-app',
  'e2e/bad-input',
  'e2e/incremental',
  'browser/toolbar',
  'e2e/watch',
  'astro/source/source-attack',
  'browser/placeholder',
  'e2e/gateway',
  'e2e/config-process',
  'e2e/records',
  'assets/rights',
  'e2e/package',
  'e2e/frontmatter',
  'browser/gallery',
  'e2e/dev-server',
];

/** Starts the slowest files first, so that no worker is alone with one of them at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return at === -1 ? longest.length : at;
}
