import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startScriptedService } from '../../service/scripted-service.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import { cacheFolder, emulatorClient, openImages, removeContents } from '../open-images.ts';

/** The same pixels with a comment, as services write the time of a download into a file. */
async function withComment(number: number): Promise<Buffer> {
  const image = sharp(await drawTestImage({ path: 'quay.png', width: 60, height: 40 }));
  const comment = { IFD0: { ImageDescription: `Download ${number}` } };
  return image.jpeg({ quality: 100 }).withExif(comment).toBuffer();
}

test.each([
  ['with the same validators is that version, whatever bytes are delivered', '"1"', true],
  ['with another ETag is another one', '"2"', false],
])('a source without bytes in the cache %s', async (_, later, isSame) => {
  let downloads = 0;
  let etag = '"1"';
  const service = await startScriptedService({
    async respond(response, { headers }) {
      if (headers['if-none-match'] === '"1"') return void response.writeHead(304).end();
      downloads += 1;
      const bytes = await withComment(downloads);
      response.writeHead(200, { 'content-type': 'image/jpeg', etag }).end(bytes);
    },
  });
  const cacheDir = await cacheFolder();
  const first = openImages({ service: emulatorClient(service), cacheDir });
  await first.publishOne(4711, { width: 20, widths: [20] });
  await removeContents(cacheDir);

  etag = later;
  const second = openImages({ service: emulatorClient(service), cacheDir });
  const asset = await second.show(4711, { width: 30, widths: [10, 15, 30] });
  const published = second.publish(asset);
  if (!isSame) return expect(published).rejects.toMatchObject({ code: 'rendition-lost' });
  expect((await published).size).toBe(3);
  expect(downloads).toBe(2);
});
