import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { extname, join } from 'node:path';
import { type LocalServer, startLocalServer } from '../service/local-server.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.txt': 'text/plain',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
};

/** Serves a built site like a host. */
export function serveFolder(folder: string): Promise<LocalServer> {
  return startLocalServer(serveBuilt(folder));
}

/** Answers like the host of a built site. */
export function serveBuilt(folder: string): RequestListener {
  return async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const bytes = await readFile(join(folder, decodeURIComponent(path))).catch(() => undefined);
    const type = contentTypes[extname(path)] ?? 'application/octet-stream';
    response.writeHead(bytes ? 200 : 404, { 'Content-Type': type }).end(bytes);
  };
}
