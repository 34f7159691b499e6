/** Levels of arrays and objects that an answer may have: far more than a folder tree needs. */
export const deepestJson = 500;

const [quote, backslash] = [34, 92];
const opening = new Set([91, 123]);
const closing = new Set([93, 125]);

/** Whether arrays and objects lie in each other more than `deepest` levels deep. Takes no stack. */
export function isDeeper(json: string, deepest: number): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (inText && code === backslash) index += 1;
    else if (code === quote) inText = !inText;
    else if (inText) continue;
    else if (closing.has(code)) depth -= 1;
    else if (opening.has(code)) {
      depth += 1;
      if (depth > deepest) return true;
    }
  }
  return false;
}
