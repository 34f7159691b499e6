/**
 * A way to write an asset's URL on a page: its name, the page's content and further files.
 * `{url}` and the other {@link wordsFor words} become forms of one asset's URL. What stands in
 * brackets after `;base64,` is encoded.
 */
export type Way = readonly [name: string, html: string, files?: Readonly<Record<string, string>>];
