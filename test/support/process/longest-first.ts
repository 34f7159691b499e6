import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, slowest first. None of the others takes as long as these. */
const longest = [
  'assets/formats/decoding-memory',
  'usage/histories',
  'e2e/newcomers/docs-recipes',
  'e2e/pages/markdown',
  'usage/kill',
  'browser/toolbar-crop',
  'e2e/usages/when-to-report',
  'browser/toolbar-app',
  'e2e/pages/bad-input',
  'e2e/builds/incremental',
  'browser/toolbar',
  'e2e/builds/watch',
  'authoring/source/source-attack',
  'browser/placeholder',
  'e2e/builds/config-process',
  'e2e/pages/records',
  'assets/records/rights',
  'e2e/newcomers/package',
  'e2e/pages/frontmatter',
  'browser/gallery',
  'e2e/dev/dev-server',
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
