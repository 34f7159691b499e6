import { finding } from '../../errors/errors.ts';
import { type ServiceError, serviceError } from '../service-error.ts';
import {
  type Answer,
  describeAnswer,
  excerpt,
  readAnswer,
  readText,
  statesFailure,
} from './read-answer.ts';
import { throwIfEnded, unexpected, unreachable } from './refusal.ts';
import type { Receive } from './send-call.ts';
import { type Call, inCall, type ServiceContext } from './service-context.ts';

/**
 * The result of a reader. `problem` and `skipped` (problems of skipped records) never quote the
 * answer.
 */
type Reading<T> =
  | { readonly value: T; readonly skipped?: readonly string[] }
  | { readonly problem: string };

/** Reads an answer: its JSON and headers, or `undefined` if it's empty or plain text. */
export type Reader<T> = (
  content: { readonly json: unknown; readonly headers?: Headers } | undefined,
  status: number,
) => Reading<T>;

/**
 * Receives a text answer. Refuses redirects, HTML, text labelled as JSON, and JSON that reports a failure, and
 * passes everything else to `read`.
 */
export function receiveAnswer<T>(context: ServiceContext, call: Call, read: Reader<T>): Receive<T> {
  return async ({ response, limit }) => {
    const { status } = response;
    const odd = (problem: string) => unexpected(call, { problem }, { status, effect: 'unknown' });
    const contentType = response.headers.get('content-type') ?? undefined;
    let body: { text: string; complete: boolean };
    try {
      body = await readText(response, context.maxAnswerBytes);
    } catch (thrown) {
      throwIfEnded(call, 'unknown');
      return unreachable(call, { thrown, ranOut: limit.ranOut, redactor: context.redactor });
    } finally {
      limit.end();
    }
    const answer = { status, contentType, text: body.text };
    if (!body.complete) return odd(`it's longer than ${context.maxAnswerBytes} bytes`);
    if (status >= 300) return odd(`its status is ${status}`);
    return interpret(context, call, { answer, headers: response.headers, read });
  };
}

function interpret<T>(
  { redactor, onFinding }: ServiceContext,
  call: Call,
  { answer, headers, read }: { answer: Answer; headers: Headers; read: Reader<T> },
): T | ServiceError {
  const { status } = answer;
  const content = readAnswer(answer);
  if (content.kind === 'html') {
    return serviceError('answer-html', { ...inCall(call) }, { status, effect: 'unknown' });
  }
  if (content.kind === 'broken-json') {
    return unexpected(call, { problem: "it isn't valid JSON" }, { status, effect: 'unknown' });
  }
  // The answer to a usage holds no record, and may name the assets that were refused.
  const records = !call.kind.startsWith('usage-');
  const value = content.kind === 'json' ? content.value : undefined;
  // Records of a bare list can have their own status.
  const isBareList = call.kind === 'list' && Array.isArray(value);
  if (!isBareList && statesFailure(value, { records, levels: 3 })) {
    const details = { ...inCall(call), status, answer: excerpt(answer, redactor.redact) };
    const code = call.kind === 'token' ? 'credentials-refused' : 'request-refused';
    return serviceError(code, details, { status, effect: 'unknown', answer: details.answer });
  }
  const json = content.kind === 'json' ? { json: value, headers } : undefined;
  const reading = read(json, status);
  if (!('problem' in reading)) {
    const { value: result, skipped = [] } = reading;
    if (skipped.length > 0) {
      const details = { ...inCall(call), problems: skipped };
      onFinding(finding('warning', 'records-skipped', details));
    }
    return result;
  }
  // An unexpected token answer may hold a token under any name, so don't quote it.
  const came = call.kind === 'token' ? undefined : describeAnswer(answer, redactor.redact);
  return unexpected(call, { problem: reading.problem, came }, { status, effect: 'unknown' });
}
