import { describeAnswer } from './describe-answer.ts';
import { readAnswer } from './read-answer.ts';
import { readLocated } from './read-located.ts';
import { readText } from './read-text.ts';
import type { Call, ServiceContext } from './service-context.ts';
import { serviceError } from './service-error.ts';

/** In bytes. */
const longestLocator = 64 * 1024;

/** Whether an answer is the JSON that says where a download is. */
export function isLocator({ status, headers }: Response): boolean {
  return (
    (status === 200 || status === 206) && /[/+]json\b/i.test(headers.get('content-type') ?? '')
  );
}

/**
 * The address in such an answer; it may be a secret in itself. Throws `answer-unexpected` where it
 * has none.
 */
export async function locate(
  { redactor }: ServiceContext,
  call: Call,
  response: Response,
): Promise<string> {
  const { status } = response;
  const { text } = await readText(response, longestLocator);
  const answer = { status, contentType: 'application/json', text };
  const content = readAnswer(answer);
  const located = content.kind === 'json' ? readLocated(content.value) : undefined;
  if (located !== undefined) return located;
  const problem = 'there is no address of the download in it';
  const came = content.kind === 'json' ? describeAnswer(answer, redactor.redact) : content.kind;
  throw serviceError(
    'answer-unexpected',
    { call: call.name, problem, came },
    { status, effect: 'none' },
  );
}
