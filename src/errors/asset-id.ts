/** How the ID of an asset or a folder stands in a text: the source of a regular expression. */
export const assetIdPattern = '-?[1-9]\\d{0,15}';

const wholeId = new RegExp(`^${assetIdPattern}$`);

/** Whether a value is the ID of an asset: any non-zero safe integer. Services use negative ones too. */
export function isAssetId(value: unknown): value is number {
  return Number.isSafeInteger(value) && value !== 0;
}

/** Reads an ID in plain digits; `undefined` for any other text. */
export function parseAssetId(text: string | undefined): number | undefined {
  const id = wholeId.test(text ?? '') ? Number(text) : undefined;
  return isAssetId(id) ? id : undefined;
}
