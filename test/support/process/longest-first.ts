import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The test files that take longest, longest first; of the others none takes much over 20 s. */
const longest = [
  'assets/decoding-memory',
  'usage/histories',
  'e2e/bad-input',
  'e2e/when-to-report',
  'e2e/docs-recipes',
  'usage/kill',
  'e2e/markdown',
  'e2e/package',
  'service/lost-redis',
  'e2e/outage',
  'usage/paused-run',
  'usage/ledger/redis-state-store',
  'service/contract',
  'browser/gallery',
  'e2e/secrets',
  'e2e/pictures',
  'e2e/dev-server',
  'cli/interrupted-reconcile',
  'service/token-stores',
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
