import { expect, test } from 'vitest';
import { refusalCode } from '../../../src/service/http/refusal.ts';
import type { Call } from '../../../src/service/http/service-context.ts';
import { serviceError } from '../../../src/service/service-error.ts';

test.each<[kind: Call['kind'], codes: Record<string, readonly number[]>]>([
  [
    'usage-report',
    {
      'request-refused': [400, 402, 404, 405, 407, 409, 410, 422, 424, 426, 428, 499],
      'request-unauthorized': [401],
      'request-forbidden': [403],
      'service-limited': [429],
      'service-failed': [408, 425, 500, 502, 503, 504, 520, 599],
    },
  ],
  [
    'token',
    {
      'credentials-refused': [400, 401, 403],
      'request-refused': [402, 404, 409, 422],
      'service-limited': [429],
      'service-failed': [408, 425, 500, 503],
    },
  ],
])('a status of a call of the kind %s has its code: %j', (kind, codes) => {
  const statuses = Object.values(codes).flat();
  const found = Object.groupBy(statuses, (status) => refusalCode({ kind } as Call, status, true));
  expect(found).toEqual(codes);
});

test('401 without a token that was sent is a refusal like others', () => {
  expect(refusalCode({ kind: 'usage-report' } as Call, 401, false)).toBe('request-refused');
});

test('an error without an answer is no refusal of the service', () => {
  const details = { call: 'GET /1/file/4711', reason: 'the connection was reset' };
  const error = serviceError('service-unreachable', details, { effect: 'none' });
  expect(error.isOwnRefusal).toBe(false);
});
