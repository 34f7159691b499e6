import { expect, onTestFinished, test } from 'vitest';
import { publicClients } from '../../support/bends/profiles.ts';
import { startService } from '../../support/service/start-service.ts';
import { blockOf } from '../../support/site/doc-blocks.ts';
import { createSite } from '../../support/site/site.ts';

test('leads from a bare site and an unknown service to a reported usage, without an option by hand', async () => {
  const service = await startService([{ path: 'harbour/quay.jpg', width: 1200, height: 800 }], {
    ...publicClients,
    tokenEncoding: 'any',
  });
  await service.fetch('/1/file/-4711', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ alttext: 'The quay', gdprStatus: 'OK' }),
  });
  await service.setSettings(publicClients);
  const site = await createSite('bare', { sharedAstro: true });
  onTestFinished(() => site.delete());
  await site.write('src/pages/index.astro', '<html lang="en"><title>Home</title></html>\n');
  await site.write(
    'astro.config.mjs',
    "import { defineConfig } from 'astro/config';\n\nexport default defineConfig({});\n",
  );
  expect(blockOf('README', 'init')).toBe('npx --no media-asset init\n');
  const words = ['init', '--yes', '--site', 'https://www.example.org'];
  const init = await site.command(service.env, ...words);
  expect(init.exitCode, init.output).toBe(0);

  await site.edit(
    'src/pages/first-image.astro',
    ' alt="The first image that the media service named"',
    '',
  );
  const build = await site.build({ MEDIA_ASSET_REPORT: 'always' });
  expect(build.exitCode, build.output).toBe(0);
  const pages = service.usages().map(({ asset, page }) => [asset, page]);
  expect(pages).toEqual([[-4711, 'https://www.example.org/first-image/']]);
  expect(await site.textOfOutput(/alt="([^"]*)"/)).toEqual(['The quay']);

  const doctor = await site.command({}, 'doctor');
  expect(doctor.output).toContain('0 problems');
  const config = await site.read('astro.config.mjs');
  await site.write('astro.config.mjs', config.replace(/site: '[^']*',?/, ''));
  const without = await site.command({}, 'doctor');
  expect(without.output).toMatch(/problem +site .*has no `site`/);
});
