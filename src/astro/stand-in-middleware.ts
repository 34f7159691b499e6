import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StandIns } from './stand-ins.ts';

/** Serves the pictures that stand in the place of assets that cannot be had. */
export function standInMiddleware(standIns: Pick<StandIns, 'find'>) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const svg = standIns.find(request.url ?? '');
    if (svg === undefined) return next();
    response.setHeader('Content-Type', 'image/svg+xml');
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Security-Policy', "default-src 'none'");
    response.end(request.method === 'HEAD' ? undefined : svg);
  };
}
