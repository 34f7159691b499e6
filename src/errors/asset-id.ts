/** The ID of an asset or a folder in text, as the source of a regular expression. */
export const assetIdPattern = '-?[1-9]\\d{0,15}';

const wholeId = new RegExp(`^${assetIdPattern}$`);

/** Whether a value is an asset ID: any non-zero safe integer. Some services use negative IDs. */
export function isAssetId(value: unknown): value is number {
  return Number.isSafeInteger(value) && value !== 0;
}

/** Reads an ID in plain digits; `undefined` for any other text. */
export function parseAssetId(text: string | undefined): number | undefined {
  const id = wholeId.test(text ?? '') ? Number(text) : undefined;
  return isAssetId(id) ? id : undefined;
}
