/** A part of the error catalogue: each code with what makes its message, and its hint. */
export type CatalogueEntries = Record<
  string,
  { message: (details: never) => string; hint: string }
>;
