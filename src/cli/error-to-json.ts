import type { Finding, MediaAssetError } from '../errors.ts';
import type { ServiceError } from '../service/service-error.ts';
import { causeText } from './terminal.ts';

/**
 * An error as `--json` prints it: `{ code, message, hint }`, with `cause` where its message does not
 * say what it came from, and `status` where the service has answered with one.
 */
export function errorToJson(error: MediaAssetError) {
  const { code, message, hint } = error;
  const cause = causeText(error);
  // Its class is not asked for: that would load the client for each command.
  const { status } = error as Partial<ServiceError>;
  return {
    code,
    message,
    hint: hintAlone({ code, hint }),
    ...(cause && { cause }),
    ...(status !== undefined && { status }),
  };
}

/** The hint of an error, or of a finding that was one, without the code at its end. */
export function hintAlone({ code, hint }: Pick<Finding, 'code' | 'hint'>): string {
  const tag = ` [${code}]`;
  return hint.endsWith(tag) ? hint.slice(0, -tag.length) : hint;
}
