/** The website of the docs, without a slash at its end. Empty until `npm run addresses` sets it. */
export const homepage: string = '';

/** The page of a code on the website; `undefined` without a website. */
export function errorPage(code: string, website = homepage): string | undefined {
  return website ? `${website}/errors/${code}/` : undefined;
}
