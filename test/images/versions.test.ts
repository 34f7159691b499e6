import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Respond, serve } from '../service/scripted-service.ts';
import { cutAsAsked } from '../support/cut-as-asked.ts';
import { drawTestPicture } from '../support/test-pictures.ts';
import { cacheFolder, clientOf, openImages, type TestImages } from './open-images.ts';

const crops = {
  left: { x: 0, y: 0, width: 30, height: 20 },
  right: { x: 30, y: 0, width: 30, height: 20 },
};
/** The asset as each version has it. */
const versions = await Promise.all(
  [1, 2, 3].map((seed) => drawTestPicture({ path: 'a.png', width: 60, height: 40, seed })),
);
const names = ['whole', 'left', 'right'] as const;
type Name = (typeof names)[number];

/** What happens between two builds, and what the pages of the next one show. */
const build = fc.record({
  version: fc.integer({ min: 0, max: 2 }),
  shown: fc.subarray([...names], { minLength: 1 }),
});

const show = (version: number, ...shown: Name[]) => ({ version, shown });
/** A crop that pages leave out while the asset changes. */
const leftOut = [
  show(0, 'left', 'right'),
  show(0, 'left'),
  show(1, 'left'),
  show(1, 'left', 'right'),
];
/** An asset that is put back to an earlier version: what was fetched last is the one that is wrong. */
const putBack = [
  show(0, 'left'),
  show(1, 'right'),
  show(0, 'left', 'right'),
  show(0, 'right', 'left'),
];

test.each(['etag', 'last-modified', 'none'])(
  'whatever was shown before, a page shows the present version (validators: %s)',
  async (validators) => {
    let version = 0;
    const respond: Respond = async (response, request) => {
      const etag = `"${version}"`;
      const modified = new Date(Date.UTC(2026, 0, 1 + version)).toUTCString();
      const { 'if-none-match': known, 'if-modified-since': since } = request.headers;
      const isKnown = validators === 'etag' ? known === etag : since === modified;
      if (validators !== 'none' && isKnown) return void response.writeHead(304).end();
      const headers = { etag: { etag }, 'last-modified': { 'last-modified': modified }, none: {} };
      const own = headers[validators as keyof typeof headers];
      response.writeHead(200, own).end(await cutAsAsked(request.url, versions[version] as Buffer));
    };
    const service = await serve({ respond });
    const history = fc.array(build, { minLength: 2, maxLength: 5 });
    const ask = (images: TestImages, name: Name) => {
      const crop = name === 'whole' ? undefined : crops[name];
      return images.getMediaAsset({ id: 1, alt: '', page: '/', crop, width: 4, densities: [1] });
    };
    const addresses = new Map<string, string>();
    /** The address of what the present version shows, as a site without a cache finds it. */
    const present = async (name: Name) => {
      const key = `${version} ${name}`;
      if (!addresses.has(key)) {
        const fresh = openImages({ service: clientOf(service), cacheDir: await cacheFolder() });
        addresses.set(key, (await ask(fresh, name)).src);
      }
      return addresses.get(key);
    };
    await fc.assert(
      fc.asyncProperty(history, async (builds) => {
        const cacheDir = await cacheFolder();
        for (const { version: next, shown } of builds) {
          version = next;
          const images = openImages({ service: clientOf(service), cacheDir });
          await images.checkUsed();
          const assets = [];
          for (const name of shown) assets.push(await ask(images, name));
          await images.publish(...assets);
          for (const [index, name] of shown.entries()) {
            expect(assets[index]?.src).toBe(await present(name));
          }
        }
      }),
      { numRuns: 10, examples: [[leftOut], [putBack]] },
    );
  },
);
