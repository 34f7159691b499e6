import fc from 'fast-check';

const { CI, TEST_SEED } = process.env;

/**
 * The seed of random tests. In CI, it's always the same, so that a commit passes or fails for itself. By hand,
 * each run has its own, which a failure shows: `undefined`.
 */
export const testSeed = TEST_SEED || CI ? Number(TEST_SEED ?? 4711) : undefined;

if (testSeed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed });
