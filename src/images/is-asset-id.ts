/** Whether a value from a template is an asset id. */
export function isAssetId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
