import type { Hono } from 'hono';
import type { CallEnvironment } from '../emulator-state.ts';
import { answerRefusal, Refusal } from './refusal.ts';

/**
 * Makes every error of an app JSON: paths that answer another method, paths that there are none of,
 * refusals and faults of the emulator's own. Comes after all routes.
 *
 * @param onFault Told of what should never happen, before the caller gets its 500.
 */
export function answerErrors(
  app: Hono<CallEnvironment>,
  onFault: (error: unknown) => void,
): Hono<CallEnvironment> {
  // A path that answers another method gets here: its routes are all above.
  for (const [path, allowed] of allowedMethods(app))
    app.all(path, () => {
      throw new Refusal(405, 'method-not-allowed', `Only ${allowed} here.`, { Allow: allowed });
    });
  app.notFound((c) =>
    answerRefusal(new Refusal(404, 'path-unknown', `There is no ${c.req.path.slice(0, 200)}.`)),
  );
  app.onError((error) => {
    if (error instanceof Refusal) return answerRefusal(error);
    onFault(error);
    return answerRefusal(new Refusal(500, 'internal', 'The emulator failed; it has said why.'));
  });
  return app;
}

/** `Allow` by path: a GET route answers HEAD too. */
function allowedMethods(app: Hono<CallEnvironment>): Map<string, string> {
  const routes = app.routes.filter(({ method }) => method !== 'ALL');
  return new Map(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => [
      path,
      group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', '),
    ]),
  );
}
