import { z } from 'zod';
import type { Reader } from './receive-answer.ts';

/** A token as the service issues it (section 5.5). */
export interface Token {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Milliseconds; undefined where the service does not say. */
  readonly lifetime: number | undefined;
}

/** What can stand in an Authorization header: visible ASCII. */
export const headerToken = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters without spaces');

const answer = z.looseObject({
  access_token: headerToken,
  refresh_token: z
    .string()
    .nullish()
    .transform((token) => token || undefined),
  token_type: z
    .string()
    .regex(/^bearer$/i, 'expected Bearer')
    .nullish(),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
});

/** Reads the answer to a token request. A problem names the field, never its value. */
export const readTokenAnswer: Reader<Token> = (content) => {
  if (content === undefined) return { problem: 'JSON with an access_token was expected' };
  const parsed = answer.safeParse(content.json);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`,
    );
    return { problem: problems.join('; ') };
  }
  const { access_token, refresh_token, expires_in } = parsed.data;
  return {
    value: {
      accessToken: access_token,
      refreshToken: refresh_token,
      lifetime: expires_in === undefined ? undefined : expires_in * 1000,
    },
  };
};
