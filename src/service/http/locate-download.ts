import { isFields, plainName } from '../calls/find-list.ts';
import { serviceError } from '../service-error.ts';
import { describeAnswer } from './excerpt.ts';
import { isJsonType, readAnswer, readText } from './read-answer.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** In bytes. */
const maxLocatorBytes = 64 * 1024;

/** Whether an answer is JSON that holds a download's URL. */
export function isLocator({ status, headers }: Response): boolean {
  return status === 200 && isJsonType(headers.get('content-type') ?? undefined);
}

/**
 * Returns the download's URL. It may be a secret. Throws `answer-unexpected` unless it's unique.
 */
export async function locate(
  { redactor }: ServiceContext,
  call: Call,
  response: Response,
): Promise<string> {
  const { status } = response;
  const { text } = await readText(response, maxLocatorBytes);
  const answer = { status, contentType: 'application/json', text };
  const content = readAnswer(answer);
  const addresses = new Set(content.kind === 'json' ? addressesIn(content.value) : []);
  const [address] = addresses;
  if (address !== undefined && addresses.size === 1) return address;
  const problem = 'expected JSON with one download URL';
  const came = content.kind === 'json' ? describeAnswer(answer, redactor.redact) : content.kind;
  throw serviceError(
    'answer-unexpected',
    { call: call.name, problem, came },
    { status, effect: 'none' },
  );
}

const addressNames = new Set([
  'url',
  'uri',
  'href',
  'link',
  'location',
  'download',
  'downloadurl',
  'downloaduri',
  'downloadlink',
  'fileurl',
  'signedurl',
]);
const wrapperNames = new Set(['data', 'result', 'response', 'file', 'links']);

/**
 * Finds URLs in JSON, absolute or relative: the JSON itself, a field with a known name, or such a
 * field in a wrapper or in an array of one.
 */
function addressesIn(json: unknown, levels = 3): string[] {
  if (typeof json === 'string') return /^(?:https?:\/\/|\/)\S+$/i.test(json) ? [json] : [];
  if (levels === 0) return [];
  if (Array.isArray(json)) return json.length === 1 ? addressesIn(json[0], levels - 1) : [];
  if (!isFields(json)) return [];
  const inFields = (names: ReadonlySet<string>) =>
    Object.entries(json)
      .filter(([name]) => names.has(plainName(name)))
      .flatMap(([, value]) => addressesIn(value, levels - 1));
  const own = inFields(addressNames);
  return own.length > 0 ? own : inFields(wrapperNames);
}
