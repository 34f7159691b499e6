import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, slowest first. None of the others takes as long as these. */
const longest = [
  'assets/formats/decoding-memory',
  'usage/histories',
  'usage/kill',
  'authoring/source/source-attack',
  'e2e/newcomers/package',
  'e2e/newcomers/guides',
  'e2e/builds/watch',
  'e2e/dev/without-credentials',
  'e2e/pages/frontmatter',
  'browser/toolbar',
  'e2e/dev/dev-server',
  'e2e/usages/when-to-report',
  'e2e/newcomers/docs-recipes',
  'cli/commands/sign-in',
  'assets/store/shared-cache',
  'e2e/builds/outage',
  'cli/usage/report',
  'browser/toolbar-crop',
  'service/contract',
  'browser/toolbar-app',
  'e2e/builds/record-commands',
  'usage/full-disk',
  'browser/gallery',
  'e2e/pages/types',
  'browser/library',
  'e2e/pages/markdown',
  'e2e/builds/config-process',
  'browser/page-width',
  'e2e/newcomers/tutorial',
  'e2e/usages/interrupted-report',
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
