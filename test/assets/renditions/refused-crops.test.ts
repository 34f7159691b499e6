import { expect, test } from 'vitest';
import {
  failureOf,
  type Respond,
  startScriptedService,
  status,
} from '../../service/scripted-service.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import { serveCrop } from '../../support/service/serve-crop.ts';
import { cacheFolder, emulatorClient, openImages } from '../open-images.ts';

const crop = { x: 20, y: 10, width: 100, height: 80 };
const whole = await drawTestImage({ path: 'a.jpg', width: 320, height: 200 });
const small = await drawTestImage({ path: 'a.jpg', width: 60, height: 40 });

/** A service with one asset. `crops` and `original` are the status codes of its answers. */
async function startService(given: { crops: number; original: number; picture: Buffer }) {
  const answer = { ...given };
  const respond: Respond = async (response, request) => {
    const { crops, original, picture } = answer;
    const code = request.url.includes('/download/-1') ? crops : original;
    if (code !== 200) return status(code)(response, request);
    const one = await serveCrop(request.url, picture);
    const etag = `"${one.length}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(one);
  };
  const service = await startScriptedService({ respond });
  const cacheDir = await cacheFolder();
  const open = () => openImages({ service: emulatorClient(service), cacheDir });
  return { answer, open };
}

test.each([[403], [404], [410]])(
  "a crop refused with %i doesn't withdraw the asset if the original is delivered",
  async (code) => {
    const { open } = await startService({ crops: code, original: 200, picture: whole });
    const images = open();
    expect(await failureOf(images.show(1, { crop }))).toMatchObject({
      code: 'crop-refused',
      message: `/page/: The service refused a crop of asset 1 (${code}).`,
      cause: { cause: { status: code } },
    });
    const asset = await images.show(1, { width: 100 });
    expect(asset.width).toBe(100);
  },
);

test.each([[403], [404], [410]])(
  'a crop refused with %i because the asset is smaller now is reported as outside',
  async (code) => {
    const { answer, open } = await startService({ crops: 200, original: 200, picture: whole });
    const first = open();
    await first.publish(await first.show(1, { crop }));
    Object.assign(answer, { crops: code, picture: small });
    const second = open();
    await second.checkUsed();
    expect(await failureOf(second.show(1, { crop }))).toMatchObject({
      code: 'crop-outside',
      message: expect.stringContaining('60 × 40'),
    });
  },
);

test("a refused crop that no page shows anymore isn't an error", async () => {
  const { answer, open } = await startService({ crops: 200, original: 200, picture: whole });
  const first = open();
  const shown = await first.show(1, { width: 100 });
  await first.publish(await first.show(1, { crop }), shown);
  answer.crops = 404;
  const second = open();
  await second.checkUsed();
  const again = await second.show(1, { width: 100 });
  expect(again.src).toBe(shown.src);
  expect((await second.publish(again)).size).toBe(shown.renditions.length);
});
