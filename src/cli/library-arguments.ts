import { mediaAssetError } from '../errors.ts';

/** A rectangle in pixels of the original as displayed. */
export interface CropArgument {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** @throws `command-usage` */
export function toAssetId(value: string): number {
  return wholeNumber(value, 1) ?? wrong(`${shorten(value)} is not an asset id.`);
}

/** One more of several. Throws `command-usage`. */
export function toAssetIds(value: string, earlier: readonly number[] = []): number[] {
  return [...earlier, toAssetId(value)];
}

/** @throws `command-usage` */
export function toFolderId(value: string): number {
  return wholeNumber(value, 0) ?? wrong(`${shorten(value)} is not the id of a folder.`);
}

/** @throws `command-usage` */
export function toLimit(value: string): number {
  const problem = `--limit ${shorten(value)} is not a number of files (1 to 100000).`;
  const limit = wholeNumber(value, 1);
  return limit !== undefined && limit <= 100_000 ? limit : wrong(problem);
}

/** In bytes. Throws `command-usage`. */
export function toMaxSize(value: string): number {
  const problem = `--max-size ${shorten(value)} is not a number of megabytes (1 to 1000000).`;
  const megabytes = wholeNumber(value, 1);
  return megabytes !== undefined && megabytes <= 1e6 ? megabytes * 1e6 : wrong(problem);
}

/** @throws `command-usage` */
export function toSearchText(value: string): string {
  if (value.trim() === '') return wrong('The text to search for is empty.');
  if (value.length > 1000) {
    return wrong(`The text to search for has ${value.length} characters; at most 1000 can be.`);
  }
  if (!value.isWellFormed()) return wrong('The text to search for is no well-formed Unicode.');
  return value;
}

/** `x,y,w,h`. Throws `command-usage`. */
export function toCrop(value: string): CropArgument {
  const sides = value.split(',').map((side) => wholeNumber(side.trim(), 0));
  const [x, y, width, height] = sides;
  if (sides.length !== 4 || x === undefined || y === undefined || !width || !height) {
    return wrong(
      `--crop ${shorten(value)} is no rectangle: x,y,w,h in whole pixels of the original, such as 400,200,2400,1600.`,
    );
  }
  return { x, y, width, height };
}

function wholeNumber(value: string, least: number): number | undefined {
  const number = Number(value);
  return /^(?:0|[1-9]\d*)$/.test(value) && Number.isSafeInteger(number) && number >= least
    ? number
    : undefined;
}

/** An argument as a message names it. */
export function shorten(value: string): string {
  const text = JSON.stringify(value.toWellFormed());
  const plain = /^"[\w.,:/=+-]+"$/.test(text) ? text.slice(1, -1) : text;
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain;
}

/** @throws `command-usage`, always */
export function wrong(problem: string): never {
  throw mediaAssetError('command-usage', { problem });
}
