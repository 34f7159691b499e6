import { problemsIn } from '../../errors/wording.ts';
import { type UsagePost, usagePost } from '../library/usage-post.ts';
import { badRequest } from './http-error.ts';
import { inKnownCase, parseJsonBody } from './json-body.ts';

/** `missing`: what a post may leave out, if it needn't have the interface's form. */
export function parseUsagePost(
  body: Uint8Array,
  contentType: string,
  missing?: { readonly id: string | undefined; readonly date: string },
): UsagePost {
  const json = parseJsonBody(body, contentType);
  const result = usagePost.safeParse(missing ? completePost(json, missing) : json);
  if (result.success) return result.data;
  const problems = problemsIn(result.error, 'body');
  throw badRequest('usage-invalid', `Invalid usage: ${problems.join('; ')}.`);
}

const pageFields = ['page', 'pageName'];

/** The usage object of section 2.1, from fields in any case, single values, numbers and texts. */
function completePost(json: unknown, missing: Readonly<Record<string, unknown>>) {
  const given = inKnownCase(json, [...Object.keys(usagePost.shape), ...pageFields]);
  const { id, amount, types, web, page, pageName, ...post } = { ...missing, ...given };
  return {
    ...{ contact: '', description: '', project: '', removed: false },
    ...Object.fromEntries(Object.entries(post).filter(([name]) => name in usagePost.shape)),
    id: [id].flat().map(Number),
    amount: String(amount ?? 1),
    types: [types ?? 'web'].flat(),
    web: { page: page ?? '', pageName: pageName ?? '', ...inKnownCase(web, pageFields) },
  };
}
