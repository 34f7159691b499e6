import { expect, test } from 'vitest';
import { home, hosts, images, movedHome } from './hosts.ts';
import {
  answer,
  build,
  bytes,
  deploy,
  file,
  given,
  type Host,
  image,
  live,
  other,
  page,
  serve,
  serveImage,
  takeDown,
  useWithdrawals,
  withAsset,
  withdraw,
  without,
} from './withdrawal-project.ts';

useWithdrawals();

test('an asset is gone if its URLs are, the stamp is online, and no page names it', async () => {
  await takeDown();
  const { exitCode, gone, urls, pages, unknown } = await withdraw();
  expect({ exitCode, gone, unknown }).toEqual({ exitCode: 0, gone: true, unknown: [] });
  expect(urls).toEqual(
    [image, file].sort().map((path) => ({ url: `${live.url}/${path}`, status: 404, gone: true })),
  );
  expect(pages).toEqual([{ page: `${live.url}/`, from: ['history'], status: 200, gone: true }]);
});

test.each(hosts)('nothing is proved if %s', async (_, host) => {
  await takeDown();
  given.host = host;
  const { exitCode, gone, urls, pages } = await withdraw();
  expect({ exitCode, gone }).toEqual({ exitCode: 3, gone: false });
  expect([...urls, ...pages].some((one) => !one.gone)).toBe(true);
});

test.each<[string, Host]>([
  ['a 404 page of HTML with an inline SVG', images(404, '<!-- x --><html><svg></svg></html>')],
  ['an empty 410 of the type of an image', images(410, '', 'image/webp')],
  ['an XML error', images(404, '<?xml version="1.0"?><Error/>', 'application/xml')],
  ['a page that is gone', home(404, 'Not found')],
  ['a page that moved for good', movedHome(301, '/new/', without)],
])('%s is no objection', async (_, host) => {
  await takeDown();
  given.host = host;
  expect(await withdraw()).toMatchObject({ exitCode: 0, gone: true });
});

test('nothing is proved of an asset without a known URL', async () => {
  await build({ 'index.html': page('<img data-media-asset="4711" src="data:,">') });
  await build({ 'index.html': without });
  await deploy();
  expect(await withdraw()).toMatchObject({ exitCode: 3, urls: [], pages: [{ gone: true }] });
});

test('the host from before a move is asked too, as by a visitor of its own pages', async () => {
  const old = await serve(({ headers }, response) =>
    headers.referer === `${old.url}/`
      ? answer(response, 200, bytes, 'image/webp')
      : answer(response, 404, 'Not found'),
  );
  await build({ 'index.html': withAsset, [image]: bytes }, { site: old.url });
  await build({ 'index.html': page('<img data-media-asset="4712">') });
  await deploy();
  const found = await withdraw();
  expect(found).toMatchObject({ exitCode: 3, gone: false });
  expect(found.urls).toEqual([{ url: `${old.url}/${image}`, status: 200, gone: false }]);
  await old.close();
  const { exitCode, urls } = await withdraw();
  expect(exitCode).toBe(3);
  expect(urls[0]).toMatchObject({
    status: null,
    reason: expect.stringContaining(`:${old.port}`),
  });
});

test('a file is asked for on the site and below its assets prefix', async () => {
  const cdn = await serveImage();
  const assetsPrefixes = [cdn.url];
  await build({ 'index.html': withAsset, [image]: bytes }, { assetsPrefixes });
  await build({ 'index.html': without }, { assetsPrefixes });
  await deploy();
  const { exitCode, urls } = await withdraw();
  expect(exitCode).toBe(3);
  const states = urls.map(({ url, gone }: { url: string; gone: boolean }) => [url, gone]);
  expect(Object.fromEntries(states)).toEqual({
    [`${live.url}/${image}`]: true,
    [`${cdn.url}/${image}`]: false,
  });
});

test("a host's image URL that pages have named is asked for too", async () => {
  const optimized = `/_vercel/image?url=%2F${encodeURIComponent(image)}&w=640`;
  const html = page(`<img src="${optimized.replace('&', '&amp;')}">`);
  await build({ 'index.html': html, [image]: bytes, [other]: bytes });
  await build({ 'index.html': without, [other]: bytes });
  await deploy();
  given.host = ({ url }, response) =>
    url === optimized && answer(response, 200, bytes, 'image/webp');
  const { exitCode, urls } = await withdraw();
  expect(exitCode).toBe(3);
  expect(urls).toEqual([
    { url: `${live.url}/${image}`, status: 404, gone: true },
    { url: `${live.url}${optimized}`, status: 200, gone: false },
  ]);
});

test("the service's own URLs are gone if it still gives out another asset", async () => {
  let refused = /^4711$/;
  const gateway = await serve(({ method, url }, response) => {
    const [, id = ''] = /^\/dam\/1\/file\/(\d+)\/download/.exec(url ?? '') ?? [];
    if (method === 'POST') return answer(response, 200, '{}', 'application/json');
    if (url?.includes('/usage')) return answer(response, 404, '{}', 'application/json');
    if (refused.test(id)) return answer(response, 404, 'No such file');
    return answer(response, 200, bytes, 'image/webp');
  });
  given.service = `${gateway.url}/dam`;
  const html = (id: number) => `<img src="${given.service}/1/file/${id}/download/-1?w=8&amp;h=8">`;
  await build({ 'index.html': page(html(4711) + html(4712)) });
  await build({ 'index.html': page(html(4712)) });
  await deploy();
  const url = `${given.service}/1/file/4711/download/-1?w=8&h=8`;
  refused = /./;
  expect(await withdraw()).toMatchObject({ exitCode: 3, urls: [{ url, status: 404 }] });
  refused = /^4711$/;
  expect(await withdraw()).toMatchObject({ exitCode: 0, urls: [{ url, status: 404 }] });
});
