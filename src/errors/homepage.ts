/** The website of the docs, without a slash at its end. Empty until `npm run addresses` sets it. */
export const homepage: string = '';
