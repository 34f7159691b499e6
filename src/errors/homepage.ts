/**
 * The website of the docs, without a slash at its end. Empty until it has an address:
 * `npm run addresses` sets it, and all places outside of `src` that wait for one.
 */
export const homepage: string = '';
