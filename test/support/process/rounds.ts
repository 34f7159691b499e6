const share = process.env.TEST_ROUNDS === 'all' ? 1 : 2;

/** How many rounds a random test runs: half of them, or all with `TEST_ROUNDS=all`. */
export const rounds = (all: number): number => Math.ceil(all / share);

/** The cases that a test of every case runs: every second one from `first` on, or all with `TEST_ROUNDS=all`. */
export const someOf = <T>(all: readonly T[], first: 0 | 1 = 0): T[] =>
  all.filter((_, index) => index % share === first % share);

/** The numbers from 1 to `count`, of which a test runs some. */
export const somePoints = (count: number, first: 0 | 1 = 0): number[] =>
  someOf(
    Array.from({ length: count }, (_, index) => index + 1),
    first,
  );
