import { serviceError } from './service-error.ts';

/**
 * Where the link to a next page leads: within the origin that gave it, for the request carries the
 * token. Throws `answer-unexpected`.
 *
 * @param name the call, as messages name it
 */
export function followLink(name: string, link: string, from: string): string {
  const url = URL.parse(link, from);
  const { origin } = new URL(from);
  const problem =
    url === null
      ? 'its link to the next page is no URL'
      : url.origin !== origin
        ? `its link to the next page leads to ${url.protocol}//${url.host}`
        : url.username !== '' || url.password !== ''
          ? 'its link to the next page carries credentials'
          : undefined;
  if (url === null || problem !== undefined) {
    const details = { call: name, problem: problem ?? '' };
    throw serviceError('answer-unexpected', details, { effect: 'none' });
  }
  url.hash = '';
  return url.href;
}
