import { problemsIn } from '../../errors/wording.ts';
import { type UsagePost, usagePost } from '../library/usage-post.ts';
import { badRequest } from './http-error.ts';
import { parseJsonBody } from './json-body.ts';

export function parseUsagePost(body: Uint8Array, contentType: string): UsagePost {
  const result = usagePost.safeParse(parseJsonBody(body, contentType));
  if (result.success) return result.data;
  const problems = problemsIn(result.error, 'body');
  throw badRequest('usage-invalid', `Invalid usage: ${problems.join('; ')}.`);
}
