/** @module-tag slow */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { bendDefaults } from '../../support/bends/bend-settings.ts';
import type { SettingChanges } from '../../support/bends/bent-emulator.ts';
import { startService } from '../../support/service/start-service.ts';
import { answerForms, openEditor, url } from './editor.ts';

const near = createRequire(new URL('../../cloudflare/package.json', import.meta.url));
const found = (() => {
  try {
    return near.resolve('miniflare');
  } catch {
    return undefined;
  }
})();
const folder = fileURLToPath(new URL('../../..', import.meta.url));

const images = Array.from({ length: 3 }, (_, index) => ({
  ...{ path: `boats/image-${index}.png`, width: 40, height: 30 },
}));
const emulator = await startService(images, { fields: 'consent' });

/** As its guide has it. */
async function bundleHandler(): Promise<string | undefined> {
  const contents = `
import { createLibraryHandler } from './src/authoring/handler/create-library-handler.ts';
const handler = createLibraryHandler({
  url: '${url}',
  cookieSecret: process.env.COOKIE_SECRET,
  service: { baseUrl: process.env.BASE_URL, clientId: 'emulator', clientSecret: 'emulator-secret' },
  rights: { fields: ['consent'], read: ({ consent }) => ({ state: consent === 'no' ? 'forbidden' : 'allowed' }) },
});
export default { fetch: (request) => handler(request) };`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    ...{ bundle: true, format: 'esm', write: false, mainFields: ['module', 'main'] },
    ...{ conditions: ['workerd', 'worker', 'import'], external: ['node:*', 'redis'] },
  });
  return outputFiles[0]?.text;
}

let bundle: ReturnType<typeof bundleHandler> | undefined;

/** The handler in Cloudflare's runtime. */
async function openWorker() {
  bundle ??= bundleHandler();
  const { Miniflare, convertV4MiniflareOptions = (options: object) => options } = near('miniflare');
  const options = {
    ...{ modules: true, script: await bundle, compatibilityDate: '2026-06-01' },
    compatibilityFlags: ['nodejs_compat'],
    bindings: { COOKIE_SECRET: 'a secret with at least 32 characters', BASE_URL: emulator.url },
  };
  const worker = new Miniflare(convertV4MiniflareOptions(options));
  onTestFinished(() => worker.dispose());
  return openEditor(async (request) =>
    worker.dispatchFetch(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      redirect: 'manual',
    }),
  );
}

describe.skipIf(!found)("in Cloudflare's runtime", () => {
  test.each<SettingChanges>([...answerForms, { downloads: 'redirect' }])(
    'the handler signs in, lists, judges and shows images if the service has %o',
    async (settings) => {
      const { update } = emulatorClient(emulator).files;
      await update(4711, { consent: 'no' });
      await update(4712, { consent: 'yes' });
      await emulator.setSettings({ ...bendDefaults, refreshTokens: 'rotated', ...settings });
      const editor = await openWorker();
      expect(await editor.json('folders.json')).toMatchObject({
        error: { code: 'sign-in-required' },
      });
      expect((await editor.signIn()).status).toBe(200);
      expect(await editor.json('folders.json')).toMatchObject({ status: 200 });
      for (let time = 0; time < 3; time += 1)
        expect(await editor.json('assets.json?limit=9')).toMatchObject({
          total: 3,
          isReading: false,
          assets: expect.arrayContaining([
            expect.objectContaining({ id: 4711, rights: 'forbidden' }),
            expect.objectContaining({ id: 4712, rights: 'allowed' }),
          ]),
        });
      expect(await editor.json('asset.json?id=4711')).toMatchObject({
        record: { isForbidden: true },
      });
      const shown = await Promise.all(
        Array.from({ length: 20 }, () => editor.ask('image.webp?id=4711&width=320')),
      );
      const original = await emulator.fetch('/1/file/4711/download/0');
      const bytes = await original.arrayBuffer();
      for (const one of shown) expect(await one.arrayBuffer()).toEqual(bytes);
    },
  );
});
