/**
 * Reads `data-media-asset`: one id, or several separated by white space. An id is a positive
 * integer up to 2^53 − 1 in plain digits; any other token is unreadable.
 */
export function readIds(value: string): { ids: number[]; unreadable: string[] } {
  const tokens = value.split(/[\t\n\f\r ]+/).filter((token) => token !== '');
  return {
    ids: tokens.filter(isId).map(Number),
    unreadable: tokens.filter((token) => !isId(token)),
  };
}

/** Whether a text is an id as the service writes it. */
export function isId(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
}
