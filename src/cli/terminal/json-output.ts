import {
  type Finding,
  hintAlone,
  type MediaAssetError,
  mediaAssetError,
} from '../../errors/errors.ts';
import type { ServiceError } from '../../service/service-error.ts';
import { neutralizeCommandsInJson } from '../../usage/output/github-actions.ts';
import { causeText, type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/** Collects what a command writes to `terminal` for `--json`. `end` prints it as one object. */
export function jsonOutput(terminal: Terminal) {
  let result: object | undefined;
  const findings: Finding[] = [];
  const own: Pick<Terminal, 'print' | 'onFindings'> = {
    print(printed) {
      result = printed;
    },
    onFindings: (found) => void findings.push(...found),
  };
  return {
    // Not a copy, because reading `signal` changes the effect of Ctrl-C.
    terminal: Object.setPrototypeOf(own, terminal) as Terminal,
    end({ exitCode, error }: { exitCode: ExitCode; error?: MediaAssetError }): void {
      if (exitCode === exitCodes.done && !result) return;
      // After Ctrl-C there is neither a result nor an error.
      const failure = error ?? (result ? undefined : mediaAssetError('call-ended', {}));
      const object = {
        version: 1,
        ...(findings.length > 0 && { findings }),
        ...result,
        ...(failure && { error: errorToJson(failure) }),
      };
      terminal.out(neutralizeCommandsInJson(JSON.stringify(object, undefined, 2)));
    },
  };
}

/** An error for `--json`: `cause` if its message lacks it, `status` if the service answered. */
export function errorToJson(error: MediaAssetError) {
  const { code, page, place, asset, details, message, hint } = error;
  const cause = causeText(error);
  // `instanceof` would load the client for every command.
  const { status } = error as Partial<ServiceError>;
  return {
    ...{ code, page, place, asset, details },
    message,
    hint: hintAlone({ code, hint }),
    ...(cause && { cause }),
    ...(status !== undefined && { status }),
  };
}

/** A value for JSON: `names` of it, or all that it has. What is unknown is `null`. */
export function withNulls<T extends object>(value: T, ...names: (keyof T & string)[]) {
  const wanted = names.length > 0 ? names : (Object.keys(value) as typeof names);
  return Object.fromEntries(wanted.map((name) => [name, value[name] ?? null]));
}
