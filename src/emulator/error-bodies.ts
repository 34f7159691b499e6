import type { MiddlewareHandler } from 'hono';
import type { CallEnvironment, EmulatorState } from './emulator-state.ts';
import { maintenancePage } from './fault-answers.ts';
import { replaceAnswer } from './send-answer.ts';

/** Gives the errors of the interface the body that the setting names; their status stays. */
export function bendErrorBodies({
  settings,
}: Pick<EmulatorState, 'settings'>): MiddlewareHandler<CallEnvironment> {
  return async (c, next) => {
    await next();
    const { errorBody } = settings();
    const { status, headers } = c.res;
    if (status < 400 || errorBody === 'json') return;
    const kept = new Headers(headers);
    kept.delete('Content-Length');
    switch (errorBody) {
      case 'empty':
        kept.delete('Content-Type');
        kept.set('Content-Length', '0');
        return replaceAnswer(c, new Response(null, { status, headers: kept }));
      case 'text':
        kept.set('Content-Type', 'text/plain');
        return replaceAnswer(c, new Response('The request failed.', { status, headers: kept }));
      case 'html': {
        const page = maintenancePage(status);
        kept.set('Content-Type', page.headers.get('Content-Type') ?? '');
        return replaceAnswer(c, new Response(page.body, { status, headers: kept }));
      }
    }
  };
}
