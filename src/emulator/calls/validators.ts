import type { EmulatorSettings } from '../settings.ts';

export interface Version {
  /** Text of the strong ETag, without quotes. */
  readonly tag: string;
  readonly modified: Date;
}

export function validatorHeaders(
  version: Version,
  validators: EmulatorSettings['validators'],
): Record<string, string> {
  return {
    ...(showsTag(validators) && { ETag: `"${version.tag}"` }),
    ...(showsDate(validators) && { 'Last-Modified': version.modified.toUTCString() }),
  };
}

/**
 * Whether a conditional request already has this version (RFC 9110, 13.1). `If-None-Match` wins
 * over `If-Modified-Since`. Disabled validators are ignored.
 */
export function isUnchanged({
  request,
  version,
  validators,
}: {
  request: Headers;
  version: Version;
  validators: EmulatorSettings['validators'];
}): boolean {
  const noneMatch = request.get('If-None-Match');
  if (noneMatch !== null && showsTag(validators)) {
    const tags = noneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return tags.includes('*') || tags.includes(`"${version.tag}"`);
  }
  const since = request.get('If-Modified-Since');
  if (since === null || !showsDate(validators)) return false;
  const date = Date.parse(since);
  // HTTP dates have whole seconds. File times are finer.
  return Math.floor(version.modified.getTime() / 1000) * 1000 <= date;
}

function showsTag(validators: EmulatorSettings['validators']): boolean {
  return validators === 'etag' || validators === 'both';
}

function showsDate(validators: EmulatorSettings['validators']): boolean {
  return validators === 'last-modified' || validators === 'both';
}
