import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/process/longest-first.ts';

/** `TEST_ASTRO=5,6,cloudflare`: the tests with these Astro versions and this adapter, and nothing else. */
const versions = process.env.TEST_ASTRO?.split(',');

const support = `${import.meta.dirname}/test/support/process`;

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: versions?.map((version) => endToEnd(`astro-${version}`, { TEST_ASTRO: version })) ?? [
      project({
        name: 'unit',
        include: ['test/**/*.test.ts'],
        exclude: ['**/node_modules/**', 'test/{browser,cloudflare,e2e}/**'],
        testTimeout: 60_000,
        hookTimeout: 60_000,
      }),
      endToEnd('e2e'),
      project({
        name: 'browser',
        include: ['test/browser/**/*.test.ts'],
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
    ],
  },
});

function endToEnd(name: string, env: Record<string, string> = {}): TestProjectInlineConfiguration {
  // What authors see depends on the version of Astro too: the oldest and the newest.
  const isOldest = env.TEST_ASTRO === '5';
  const authors = isOldest ? ['test/browser/{toolbar,dev-placeholder}.test.ts'] : [];
  // The others have a base, which the adapter puts into the folder's name, an adapter of their own, or no
  // page code.
  const onAdapter = '{bad-input,call-sites,frontmatter,images,markdown,negative-ids,records}';
  // What the oldest and the newest major show in the same way, those between them do too.
  const ends =
    'e2e/{builds/changed-crops,newcomers/{import-sites,init},pages/{credits,texts-as-markup}}';
  const isBetween = env.TEST_ASTRO === '6';
  const adapter = ['test/cloudflare/*.test.ts', `test/e2e/pages/${onAdapter}.test.ts`];
  return project({
    name,
    env,
    include: env.TEST_ASTRO === 'cloudflare' ? adapter : ['test/e2e/**/*.test.ts', ...authors],
    exclude: ['**/node_modules/**', ...(isBetween ? [`test/${ends}.test.ts`] : [])],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  });
}

function project(
  test: NonNullable<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration {
  return {
    test: {
      // The same for all projects, so that their files run side by side. A file waits for the programs
      // that it starts most of the time: three at once keep two processors busy.
      maxWorkers: 3,
      globalSetup: [`${support}/memory-folder.ts`, `${support}/bundle-emulator.ts`],
      // No test changes a module's state for the next, and loading all modules anew for each file takes
      // as long as the tests.
      isolate: false,
      setupFiles: [
        `${support}/compare-bytes.ts`,
        `${support}/random-seed.ts`,
        ...(process.env.TEST_CODES_AS_MESSAGES ? [`${support}/codes-as-messages.ts`] : []),
      ],
      // A machine may stand still for seconds: a poll may take as long as anything else.
      expect: { poll: { timeout: 20_000 } },
      tags: [
        { name: 'slow', description: 'Left out of `npm test`; `npm run test:all` runs it.' },
        { name: 'timed', description: 'Measures time. `npm run mutants` leaves it out.' },
        { name: 'any-astro', description: 'Shows the same on every major of Astro.' },
      ],
      ...test,
    },
  };
}
