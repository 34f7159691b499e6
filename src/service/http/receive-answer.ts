import { finding } from '../../errors/errors.ts';
import { serviceError } from '../service-error.ts';
import { describeAnswer, excerpt, readBody, statesFailure } from './read-answer.ts';
import { statedFailure, throwIfEnded, unexpected, unreachable } from './refusal.ts';
import type { Receive } from './send-call.ts';
import { type Call, inCall, type ServiceContext } from './service-context.ts';

/** The result of a reader. `problem` and `skipped` (of records) never quote the answer. */
type BodyReading<T> =
  | { readonly value: T; readonly skipped?: readonly string[] }
  | { readonly problem: string };

/** Reads an answer's JSON: `undefined` for an empty body or plain text, `null` for 204. */
export type Reader<T> = (json: unknown, headers?: Headers) => BodyReading<T>;

/** Passes a text answer to `read`, unless it's a redirect, HTML, wrong JSON, or a failure. */
export function receiveAnswer<T>(context: ServiceContext, call: Call, read: Reader<T>): Receive<T> {
  const { redactor } = context;
  return async ({ response, limit }) => {
    const { status, headers } = response;
    context.noteDate(response);
    const state = { status, effect: 'unknown' } as const;
    const odd = (problem: string, came?: string) => unexpected(call, { problem, came }, state);
    let answer: Awaited<ReturnType<typeof readBody>>;
    try {
      answer = await readBody(response, context.maxAnswerBytes);
    } catch (thrown) {
      throwIfEnded(call, 'unknown');
      return unreachable(call, { thrown, ranOut: limit.ranOut(), redactor });
    } finally {
      limit.end();
    }
    if (!answer.isComplete) return odd(`it's longer than ${context.maxAnswerBytes} bytes`);
    // The rest of a part (206) would be missed. A list asks for it.
    const isPart = status === 206 && call.kind === 'read';
    if (status >= 300 || isPart) return odd(`its status is ${status}`);
    const { kind, json } = answer;
    if (kind === 'html' || /^\s*</.test(answer.text))
      return serviceError('answer-html', inCall(call), state);
    if (kind === 'broken-json') return odd("it isn't valid JSON");
    // The answer to a usage holds no record, and may name the assets that were refused.
    const records = !call.kind.startsWith('usage-');
    // Records of a bare list can have their own status.
    const isBareList = call.kind === 'list' && Array.isArray(json);
    if (!isBareList && statesFailure(json, { records, levels: 3 })) {
      return statedFailure(call, { ...state, answer: excerpt(answer, redactor.redact) });
    }
    const reading = read(status === 204 ? null : json, headers);
    if ('problem' in reading) {
      // An unexpected token answer may hold a token under any name, so don't quote it.
      const isQuoted = call.kind !== 'token';
      return odd(reading.problem, isQuoted ? describeAnswer(answer, redactor.redact) : undefined);
    }
    const { value, skipped = [] } = reading;
    if (skipped.length > 0) {
      const details = { ...inCall(call), problems: skipped };
      context.onFinding(finding('warning', 'records-skipped', details));
    }
    return value;
  };
}
