import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, deflateSync, zstdCompressSync } from 'node:zlib';
import {
  answer,
  bytes,
  type Host,
  image,
  isBrowser,
  isHome,
  isImage,
  live,
  page,
  text,
  withAsset,
  without,
} from './withdrawal-project.ts';

type Answer = [status: number, body: string | Buffer, type?: string];

/** Answers the requests that a test picks. */
const answering =
  (isAnswered: (request: IncomingMessage) => boolean) =>
  (...whole: Answer): Host =>
  (request, response) =>
    isAnswered(request) && answer(response, ...whole);
const everything = answering(() => true);
export const images = answering(isImage);
const stamp = answering(({ url }) => url?.endsWith('.txt') ?? false);
export const home = answering(isHome);
/** Redirects them to a place with this body. */
const moved =
  (isAnswered: (request: IncomingMessage) => boolean) =>
  (status: number, location: string, body = ''): Host =>
  (request, response) => {
    if (!isAnswered(request)) return request.url === location && answer(response, 200, body);
    return answer(response.setHeader('location', location), status, '');
  };
export const movedHome = moved(isHome);
/** Hosts that don't prove that an asset is gone. */
export const hosts: [string, Host][] = [
  ['the whole host answers 404', everything(404, 'Not found')],
  [
    'the host answers 404 to everything but browsers, which get the image',
    (request, response) => {
      if (!isBrowser(request)) return answer(response, 404, 'Not found');
      return isImage(request) && answer(response, 200, bytes, 'image/webp');
    },
  ],
  [
    'the image is only sent for `Accept: image/webp`',
    (request, response) =>
      /image\/webp/.test(request.headers.accept ?? '') &&
      isImage(request) &&
      answer(response, 200, bytes, 'image/webp'),
  ],
  [
    'the image is only sent to visitors of a page',
    (request, response) => {
      const isVisitor = request.headers.referer === `${live.url}/`;
      return isVisitor && isImage(request) && answer(response, 200, bytes, 'image/webp');
    },
  ],
  [
    'the image is only sent without a page',
    (request, response) =>
      request.headers.referer === undefined &&
      isImage(request) &&
      answer(response, 200, bytes, 'image/webp'),
  ],
  [
    'the page is in an encoding without ASCII',
    home(200, Buffer.from(withAsset, 'utf16le'), 'text/html; Charset="utf-16le"'),
  ],
  ['the body of the 404 is the image', images(404, bytes, 'image/webp')],
  ['the body of the 404 is the image, as HTML', images(404, bytes)],
  ['the body of the 404 is the file', images(404, text, 'text/csv')],
  [
    'the 404 has an image of another format, as HTML',
    images(410, '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ],
  ['the body of the 404 is called an image', images(404, 'Not found', 'image/webp')],
  ['the body of the 404 is longer than any error page', images(404, ' '.repeat(1024 ** 2 + 1))],
  ['the host answers 200 to everything', everything(200, without)],
  ['the host answers 200 with an error page for what is missing', images(200, 'Not found')],
  ['the image redirects elsewhere', moved(isImage)(301, 'https://elsewhere.example/')],
  ['the host refuses the image', images(403, 'No')],
  ['the stamp is missing', stamp(404, 'Not found')],
  ['the stamp has another text', stamp(200, 'A page')],
  [
    'the page still has the placeholder and the ID',
    home(200, page('<img data-media-asset="4711" src="data:image/webp;base64,AA==">')),
  ],
  [
    'the page still names a URL of the asset in its data',
    home(200, page(`<script>var a = "\\/${image.replaceAll('/', '\\/')}"</script>`)),
  ],
  ['the page fails', home(500, 'Sorry')],
  ['the page is longer than any', home(200, `${without}${' '.repeat(32 * 1024 ** 2)}`)],
  [
    'the host answers 404 to every request for a page',
    ({ headers }, response) =>
      headers['sec-fetch-dest'] === 'document' && answer(response, 404, 'Not found'),
  ],
  ["the page isn't HTML", home(200, '{}', 'application/json')],
  ['the page leads to a sign-in page', movedHome(302, '/sign-in/', without)],
  ['the page moved for good to one that shows the asset', movedHome(308, '/new/', withAsset)],
  [
    'the page moved for good to another host',
    (...both) => movedHome(308, `http://localhost:${live.port}/new/`)(...both),
  ],
  ['the connection ends', (request) => isImage(request) && Boolean(request.socket.destroy())],
  ...['gzip, deflate, br, zstd', 'gzip', undefined].map((coding): [string, Host] => [
    `a cache still has the image for the codings ${coding}`,
    (request, response) =>
      isImage(request) &&
      request.headers['accept-encoding'] === coding &&
      answer(response, 200, bytes, 'image/webp'),
  ]),
  [
    'someone who opens the image gets it in another coding',
    (request, response) =>
      isImage(request) &&
      request.headers['sec-fetch-dest'] === 'document' &&
      request.headers['accept-encoding'] === undefined &&
      answer(response, 200, bytes, 'image/webp'),
  ],
  ...(['br', 'deflate', 'zstd'] as const).map((coding): [string, Host] => [
    `the page that still shows the asset comes as ${coding}`,
    (request, response) =>
      isHome(request) &&
      answer(response.setHeader('content-encoding', coding), 200, compress[coding](withAsset)),
  ]),
  [
    'the page has a coding that no one knows',
    (request, response) =>
      isHome(request) && answer(response.setHeader('content-encoding', 'x-own'), 200, without),
  ],
  [
    'the stamp is only sent with the first codings',
    (request, response) =>
      Boolean(request.url?.endsWith('.txt')) &&
      request.headers['accept-encoding'] === undefined &&
      answer(response, 404, 'Not found'),
  ],
];

const compress = { br: brotliCompressSync, deflate: deflateSync, zstd: zstdCompressSync };
