import { isUpload } from '../../../../src/emulator/create-app.ts';
import type { FaultCall } from './faults.ts';

/**
 * The names of a request's call in faults: its own name and `any`. Empty for paths outside the
 * service's interface, such as the page at `/`.
 *
 * @param path without the query
 */
export function callsOf({
  method,
  path,
  body,
}: {
  method: string;
  path: string;
  body: Uint8Array;
}): FaultCall[] {
  if (!/^\/(1|signed)\/|^\/authorize$/.test(path)) return [];
  const named = namedCall(method === 'HEAD' ? 'GET' : method, path, body);
  return named === undefined ? ['any'] : [named, 'any'];
}

function namedCall(method: string, path: string, body: Uint8Array): FaultCall | undefined {
  if (method === 'POST' && path === '/1/oauth2/token') return 'token';
  if (method === 'POST' && path === '/1/files/multiple/usages')
    return isRemoval(body) ? 'usage-removal' : 'usage-report';
  if (isUpload({ method, path })) return 'upload';
  if (path === '/authorize') return 'authorize';
  if (method === 'POST' && path === '/1/file') return 'file-create';
  if (method === 'PUT' && /^\/1\/file\/[^/]+$/.test(path)) return 'file-update';
  if (method !== 'GET') return undefined;
  if (path.startsWith('/signed/')) return 'signed-download';
  if (path === '/1/foldertree') return 'folder-tree';
  if (path === '/1/search/file') return 'search';
  if (/^\/1\/folder\/[^/]+\/files$/.test(path)) return 'folder-files';
  switch (path.match(/^\/1\/file\/[^/]+\/(download\/0|download\/-1|usage)$/)?.[1]) {
    case 'download/0':
      return 'original';
    case 'download/-1':
      return 'custom-format';
    case 'usage':
      return 'usage-list';
    default:
      return undefined;
  }
}

/** Whether a usage request is a removal. An unreadable body counts as a report and is refused. */
function isRemoval(body: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof value !== 'object' || value === null || !('removed' in value)) return false;
    return value.removed === 'true' || value.removed === true;
  } catch {
    return false;
  }
}
