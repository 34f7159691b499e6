/** In UTF-16 code units of the whole text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}
