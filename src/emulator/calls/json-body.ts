import { problemsIn } from '../../errors/wording.ts';
import { type UsagePost, usagePost } from '../library/usage-post.ts';
import { badRequest, HttpError } from './http-error.ts';

export function parseJsonBody(body: Uint8Array, contentType: string): unknown {
  if (contentType.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json')
    throw new HttpError(415, 'content-type-unsupported', 'The body must be application/json.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw badRequest('json-invalid', "The body isn't JSON in UTF-8.");
  }
}

export function parseUsagePost(body: Uint8Array, contentType: string): UsagePost {
  const result = usagePost.safeParse(parseJsonBody(body, contentType));
  if (result.success) return result.data;
  const problems = problemsIn(result.error, 'body');
  throw badRequest('usage-invalid', `Invalid usage: ${problems.join('; ')}.`);
}
