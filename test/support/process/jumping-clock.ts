/**
 * Makes all that a Node program does take long, by what `Date.now` says: each look at the clock
 * finds it 16 seconds on. `NODE_OPTIONS=--import=<URL of this file>`.
 */
const { now } = Date;
let ahead = 0;

Date.now = () => {
  ahead += 16_000;
  return now() + ahead;
};
