import type { Usage } from '../../../src/service/requests.ts';
import { manifestOf } from './usage-fixtures.ts';
import type { Treatment } from './usage-server.ts';

export const shown = manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The quay', 2, 3] });
export const renamed = manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The old quay', 2, 3] });
export const withoutQuay = manifestOf({ '/': ['Harbour', 1, 2] });

export const codes = (findings: readonly { code: string }[]) => findings.map(({ code }) => code);

export const refuse = (status: number) => (): Treatment => ({
  status,
  body: '{"message":"no such file"}',
});

/** Treats matching requests in one way, and answers the others. */
export function when(matches: (usage: Usage) => boolean, treatment: Treatment) {
  return (usage: Usage): Treatment => (matches(usage) ? treatment : 'done');
}
