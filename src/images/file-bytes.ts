/** A file that is read in places. */
export interface FileBytes {
  /** In bytes. */
  readonly size: number;
  /** Fewer bytes come at the end of the file. */
  readonly read: (position: number, length: number) => Promise<Buffer>;
}

/** A part of a file: what a box or an element holds. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** The most parts that are looked at on one level: no video has more before its picture's size. */
export const mostParts = 1000;
