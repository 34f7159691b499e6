/** A path without percent encoding. The same path if it contains a `%` that starts no escape. */
export function decodePath(path: string, decode = decodeURI): string {
  try {
    return decode(path);
  } catch {
    return path;
  }
}
