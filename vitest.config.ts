import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** `TEST_ASTRO=5,6`: the end-to-end tests on these majors of Astro, and nothing else. */
const majors = process.env.TEST_ASTRO?.split(',');

/** A machine may stand still for seconds: what is polled for may take as long as anything else. */
const expect = { poll: { timeout: 20_000 } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: majors?.map((major) => endToEnd(`astro-${major}`, { TEST_ASTRO: major })) ?? [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/e2e/**', 'test/browser/**'],
          testTimeout: 60_000,
          // Most of a file's time goes by in the programs that it starts and waits for: three files at
          // once keep two processors busy.
          maxWorkers: 3,
          expect,
          sequence: { groupOrder: 0 },
        },
      },
      endToEnd('e2e'),
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file has a browser of its own.
          maxWorkers: 1,
          expect,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

function endToEnd(name: string, env: Record<string, string> = {}): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      env,
      include: ['test/e2e/**/*.test.ts'],
      testTimeout: 240_000,
      hookTimeout: 240_000,
      tags: [{ name: 'any-astro', description: 'Shows the same on every major of Astro.' }],
      // Each file runs real builds; more than two at once starve a 2-core machine.
      maxWorkers: 2,
      expect,
      sequence: { groupOrder: 1 },
    },
  };
}
