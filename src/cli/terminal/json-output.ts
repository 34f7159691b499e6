import {
  type Finding,
  hintAlone,
  type MediaAssetError,
  mediaAssetError,
} from '../../errors/errors.ts';
import type { ServiceError } from '../../service/service-error.ts';
import { neutralizeCommandsInJson } from '../../usage/output/github-actions.ts';
import { causeText, type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/**
 * Holds back the result of a command under `--json` until it is known how the command ends. The command
 * writes to `terminal`. `end` prints one object: the result, with `error` and `findings` if there are any.
 */
export function jsonOutput(terminal: Terminal) {
  let result: object | undefined;
  const findings: Finding[] = [];
  const own: Pick<Terminal, 'print' | 'onFindings'> = {
    print(printed) {
      result = printed;
    },
    onFindings(found) {
      for (const one of found) findings.push({ ...one, hint: hintAlone(one) });
    },
  };
  return {
    // Not a copy: to read `signal` changes what Ctrl-C does.
    terminal: Object.setPrototypeOf(own, terminal) as Terminal,
    end({ exitCode, error }: { exitCode: ExitCode; error?: MediaAssetError }): void {
      if (exitCode === exitCodes.done && !result) return;
      // Ctrl-C ends a command without a result and without an error.
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
