import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { devRenderer } from '../../src/astro/page-renderer.ts';
import type { Finding } from '../../src/errors/errors.ts';
import { cacheFolder, emulatorClient, openImages } from '../assets/open-images.ts';
import { type Respond, startScriptedService, status } from '../service/scripted-service.ts';
import { defaultOptions } from '../support/images/default-options.ts';
import { drawTestImage } from '../support/images/test-images.ts';

const quay = await drawTestImage({ path: 'quay.png', width: 30, height: 20 });

const give =
  (bytes: Buffer | string): Respond =>
  (response) =>
    void response.end(bytes);

/** The renderer of a dev server whose service answers every download alike. */
async function openRenderer(respond: Respond, { hasServer = false } = {}) {
  const images = openImages({
    service: emulatorClient(await startScriptedService({ respond }), { attempts: 1 }),
    cacheDir: await cacheFolder(),
    mode: 'dev',
  });
  const logged: Finding[] = [];
  const root = pathToFileURL(`${await cacheFolder()}/`);
  const renderer = devRenderer({
    ...defaultOptions,
    images: images.pages,
    config: { root },
    hasServer,
    onFinding: (finding) => logged.push(finding),
  });
  return { renderer, logged };
}

test.each<[string, Respond, 'file' | 'video']>([
  ['asset-unknown', status(404), 'file'],
  ['asset-withdrawn', status(410), 'video'],
  ['service-failed', status(500), 'file'],
  ['request-unauthorized', status(401), 'file'],
  ['service-unreachable', (response) => void response.destroy(), 'video'],
  ['file-empty', give(''), 'file'],
  ['file-guarded', give('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'file'],
  ['file-is-picture', give(quay.subarray(0, 90)), 'file'],
  ['file-not-video', give('a text'), 'video'],
])(
  'in dev a page continues without a file that is unavailable because of %s',
  async (code, respond, as) => {
    const { renderer, logged } = await openRenderer(respond);
    const file = await renderer.file({ id: 4715, as, page: '/harbour/' });
    expect(file).toEqual({ available: false, id: 4715 });
    expect(logged).toMatchObject([{ code, severity: 'error', page: '/harbour/', asset: 4715 }]);
  },
);

test('in dev the placeholder of an image in an outage has words for authors', async () => {
  const { renderer } = await openRenderer(status(500));
  const image = await renderer.asset({ id: 4715, alt: '', page: '/' });
  const text = decodeURIComponent(image.available ? image.src : '');
  expect(text).toContain('The media service has a problem. Your work is kept.');
});

test('in dev a request for an invalid file fails its page', async () => {
  const { renderer, logged } = await openRenderer(status(404));
  const wrong = { id: 4715, name: 7, page: '/harbour/' } as never;
  await expect(renderer.file(wrong)).rejects.toMatchObject({ code: 'prop-invalid' });
  const nobody = { id: 0, page: '/harbour/' };
  await expect(renderer.file(nobody)).rejects.toMatchObject({ code: 'asset-id-invalid' });
  expect(logged).toEqual([]);
});

test('in dev an invalid request names the call site and shows its file', async () => {
  const { renderer } = await openRenderer(status(404));
  const place = { file: 'src/layouts/Base.astro', line: 12, column: 3 };
  const wrong = { id: 4711, page: '/harbour/' } as never;
  const call = { component: 'MediaAsset', page: '/harbour/', place, props: { id: 4711 } } as const;
  await expect(renderer.asset(wrong, { ...call, isPrerendered: true })).rejects.toMatchObject({
    ...{ page: '/harbour/', place, asset: 4711 },
    message: expect.stringContaining('/harbour/ (src/layouts/Base.astro:12:3)'),
    loc: { file: join('src/layouts/Base.astro'), line: 12, column: 3 },
  });
});

test('in dev a component of an on-demand page is refused if the site has a server, like after the deploy', async () => {
  const request = { id: 4715, page: '/now' };
  const call = { component: 'MediaFile', page: '/now', props: { id: 4715 } } as const;
  const { renderer } = await openRenderer(status(404), { hasServer: true });
  await expect(renderer.file(request, { ...call, isPrerendered: false })).rejects.toThrow(
    '/now: <MediaFile id={4715}> is rendered on demand. It only works on prerendered pages.',
  );
  const prerendered = { ...call, isPrerendered: true };
  expect(await renderer.file(request, prerendered)).toMatchObject({ available: false });
  const { renderer: ofStaticSite } = await openRenderer(status(404));
  const inFeed = { ...call, isPrerendered: false };
  expect(await ofStaticSite.file(request, inFeed)).toMatchObject({ available: false });
});
