import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files, slowest first. None of the others takes much over 20 s. */
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
  'e2e/images',
  'e2e/dev-server',
  'cli/interrupted-reconcile',
  'service/token-stores',
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
