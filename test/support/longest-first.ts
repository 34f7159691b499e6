import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The test files that take longest, longest first; of the others none takes 20 s. */
const longest = [
  'usage/histories',
  'usage/kill',
  'cli/bad-ledger',
  'cli/full-disk',
  'usage/paused-run',
  'cli/reconcile-ended',
  'service/lost-redis',
  'e2e/docs-recipes',
  'e2e/when-to-report',
  'e2e/bad-input',
  'e2e/package',
  'e2e/markdown',
  'e2e/interrupted-report',
];

/** Begins with the files that take longest, so that no worker ends alone with one of them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return at === -1 ? longest.length : at;
}
