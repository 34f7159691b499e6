import { excerpt } from './excerpt.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { readText } from './read-text.ts';
import { throwIfEnded, unreachable } from './refusal.ts';
import type { Receive } from './send-call.ts';
import type { Call, ServiceContext } from './service-context.ts';
import { type ServiceError, serviceError } from './service-error.ts';
import { statesFailure } from './stated-failure.ts';

/** What a reader made of an answer. `problem` holds no value of the answer. */
type Reading<T> = { readonly value: T } | { readonly problem: string };

/** Reads what came: the JSON, or undefined for an empty answer or plain text. */
export type Reader<T> = (content: { json: unknown } | undefined, status: number) => Reading<T>;

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
      return unexpected(call, status, `it is longer than ${context.maxAnswerBytes} bytes`);
    }
    if (status >= 300) return unexpected(call, status, `its status is ${status}`);
    return judge(context, call, { answer, read });
  };
}

function judge<T>(
  { redactor }: ServiceContext,
  call: Call,
  { answer, read }: { answer: Answer; read: Reader<T> },
): T | ServiceError {
  const { status } = answer;
  const content = readAnswer(answer);
  if (content.kind === 'html') {
    return serviceError('answer-html', { call: call.name }, { status, effect: 'unknown' });
  }
  if (content.kind === 'broken-json') return unexpected(call, status, 'it is not valid JSON');
  if (content.kind === 'json' && statesFailure(content.value)) {
    const said = excerpt(answer, redactor.redact);
    return statedFailure(call, status, said);
  }
  const reading = read(content.kind === 'json' ? { json: content.value } : undefined, status);
  return 'problem' in reading ? unexpected(call, status, reading.problem) : reading.value;
}

function statedFailure(call: Call, status: number, answer: string): ServiceError {
  const effect = 'unknown';
  return call.kind === 'token'
    ? serviceError('credentials-refused', { status, answer }, { status, effect })
    : serviceError('request-refused', { call: call.name, status, answer }, { status, effect });
}

function unexpected(call: Call, status: number, problem: string): ServiceError {
  return serviceError(
    'answer-unexpected',
    { call: call.name, problem },
    { status, effect: 'unknown' },
  );
}
