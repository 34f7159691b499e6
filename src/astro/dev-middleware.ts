import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Images } from '../images/images.ts';
import { parseRenditionUrl } from '../images/rendition-url.ts';

/**
 * Serves the renditions of the catalogue to the dev server's visitors. Any other request goes on,
 * so that an address that nobody issued is Astro's own 404.
 */
export function devMiddleware(images: Pick<Images, 'bytesFor'>) {
  return (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => {
    const url = request.url ?? '';
    const readable = request.method === 'GET' || request.method === 'HEAD';
    if (!readable || !parseRenditionUrl(url)) return next();
    images.bytesFor(url).then((file) => {
      if (!file) return next();
      response.setHeader('Content-Type', file.contentType);
      response.setHeader('Content-Length', file.bytes.length);
      // The URL names the bytes, but a browser's dev tools should show what the server has now.
      response.setHeader('Cache-Control', 'no-cache');
      response.end(request.method === 'HEAD' ? undefined : file.bytes);
    }, next);
  };
}
