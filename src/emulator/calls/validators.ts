export interface Version {
  /** Text of the strong ETag, without quotes. */
  readonly tag: string;
  readonly modified: Date;
}

export function validatorHeaders({ tag, modified }: Version): Record<string, string> {
  return { ETag: `"${tag}"`, 'Last-Modified': modified.toUTCString() };
}

/**
 * Whether a conditional request already has this version (RFC 9110, 13.1). `If-None-Match` wins
 * over `If-Modified-Since`.
 */
export function isUnchanged(request: Headers, { tag, modified }: Version): boolean {
  const noneMatch = request.get('If-None-Match');
  if (noneMatch !== null) {
    const tags = noneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
    return tags.includes('*') || tags.includes(`"${tag}"`);
  }
  const since = request.get('If-Modified-Since');
  // HTTP dates have whole seconds. File times are finer.
  return since !== null && Math.floor(modified.getTime() / 1000) * 1000 <= Date.parse(since);
}
