import { finding } from '../../errors/errors.ts';
import { type ServiceError, serviceError } from '../service-error.ts';
import { describeAnswer, excerpt } from './excerpt.ts';
import { type Answer, readAnswer, readText, statesFailure } from './read-answer.ts';
import { throwIfEnded, unreachable } from './refusal.ts';
import type { Receive } from './send-call.ts';
import type { Call, ServiceContext } from './service-context.ts';

/**
 * What a reader made of an answer. `problem` holds no value of the answer, nor does `skipped`: what is
 * wrong with records that were left out.
 */
type Reading<T> =
  | { readonly value: T; readonly skipped?: readonly string[] }
  | { readonly problem: string };

/** Reads what came: the JSON with the `Link` header, or undefined for an empty answer or plain text. */
export type Reader<T> = (
  content: { readonly json: unknown; readonly link?: string | null } | undefined,
  status: number,
) => Reading<T>;

/**
 * Receives an answer that is text, and leaves to `read` only those that can be one: no redirect,
 * no HTML page, no broken JSON and no JSON that states a failure.
 */
export function receiveAnswer<T>(context: ServiceContext, call: Call, read: Reader<T>): Receive<T> {
  return async ({ response, limit }) => {
    const { status } = response;
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
    if (!body.complete) {
      const problem = `it is longer than ${context.maxAnswerBytes} bytes`;
      return unexpected(call, status, { problem });
    }
    if (status >= 300) return unexpected(call, status, { problem: `its status is ${status}` });
    return judge(context, call, { answer, link: response.headers.get('link'), read });
  };
}

function judge<T>(
  { redactor, onFinding }: ServiceContext,
  call: Call,
  { answer, link, read }: { answer: Answer; link: string | null; read: Reader<T> },
): T | ServiceError {
  const { status } = answer;
  const content = readAnswer(answer);
  if (content.kind === 'html') {
    return serviceError('answer-html', { call: call.name }, { status, effect: 'unknown' });
  }
  if (content.kind === 'broken-json') {
    return unexpected(call, status, { problem: 'it is not valid JSON' });
  }
  if (content.kind === 'json' && statesFailure(judged(call, content.value))) {
    return statedFailure(call, status, excerpt(answer, redactor.redact));
  }
  const json = content.kind === 'json' ? { json: content.value, link } : undefined;
  const reading = read(json, status);
  if (!('problem' in reading)) {
    const { value, skipped = [] } = reading;
    if (skipped.length > 0) {
      const details = { call: call.name, problems: skipped };
      onFinding(finding('warning', 'records-skipped', call.request.url, details));
    }
    return value;
  }
  // What came in place of a token may hold one under any name.
  const came = call.kind === 'token' ? undefined : describeAnswer(answer, redactor.redact);
  return unexpected(call, status, { problem: reading.problem, came });
}

/** What may state a failure. Of a bare list, the records may have a status and errors of their own. */
function judged(call: Call, value: unknown): unknown {
  return call.kind === 'list' && Array.isArray(value) ? undefined : value;
}

function statedFailure(call: Call, status: number, answer: string): ServiceError {
  const effect = 'unknown';
  return call.kind === 'token'
    ? serviceError('credentials-refused', { status, answer }, { status, effect })
    : serviceError('request-refused', { call: call.name, status, answer }, { status, effect });
}

function unexpected(
  call: Call,
  status: number,
  { problem, came }: { problem: string; came?: string | undefined },
): ServiceError {
  return serviceError(
    'answer-unexpected',
    { call: call.name, problem, came },
    { status, effect: 'unknown' },
  );
}
