/**
 * @module-tag slow
 * @module-tag any-astro
 */
import { execFileSync } from 'node:child_process';
import { stat, symlink } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { drawTestImages } from '../../support/images/test-images.ts';
import { startService } from '../../support/service/start-service.ts';
import { createSite } from '../../support/site/site.ts';

const sharpFolder = dirname(findPackageJSON('sharp', import.meta.url) as string);
const quay = 'src/assets/quay.jpg';
const index = 'src/pages/index.astro';
const pageWith = (tag: string, code = '') => `---
import { Image } from 'astro:assets';
import quay from '../assets/quay.jpg';
${code}---
<html lang="en"><head><title>Quay</title></head><body>${tag}</body></html>
`;

/** A site of one page in Git, whose service has nothing. */
async function openSite(page: string) {
  const service = await startService([{ path: 'harbour/a.jpg', width: 40, height: 30 }]);
  const site = await createSite('bare', { sharedAstro: true });
  onTestFinished(() => site.delete());
  await site.remove('src');
  await site.write(index, page);
  await drawTestImages([{ path: quay, width: 800, height: 600 }], site.dir);
  await symlink(sharpFolder, site.path('node_modules/sharp'), 'junction');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@a.example', ...words], {
      cwd: site.dir,
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', 'src');
  git('commit', '-qm', 'A page');
  const run = async (...words: string[]) => {
    const given = ['import', 'src/assets', '--folder', '1', '--write', ...words];
    return site.command(service.env, ...given);
  };
  const uploads = () => service.log().filter(({ path }) => path === '/1/file').length;
  return { service, site, git, run, uploads };
}

test('an import whose pages look the same names no difference, reports nothing, and leaves the notes of the last build', async () => {
  const { service, site, run } = await openSite(
    pageWith('<Image src={quay} alt="A quay" width={400} />'),
  );
  // Even this setting doesn't count while the site is built to be compared.
  await site.edit('astro.config.mjs', 'mediaAsset()', "mediaAsset({ report: 'always' })");
  const built = await site.build({ ...service.env, MEDIA_ASSET_REPORT: 'never' });
  expect(built.exitCode, built.output).toBe(0);
  const notes = await site.read('.media-asset/build.json');
  // A report can run meanwhile, and its ledger must stay the one that it has written.
  await site.write('.media-asset/ledger-a.json', '{}');
  const ledger = await stat(site.path('.media-asset/ledger-a.json'));
  const { exitCode, stdout, output } = await run('--json');
  expect(exitCode, output).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ written: [index], differences: [] });
  expect(await site.read(index)).toContain('<MediaAsset id={4712} alt="A quay" width={400} />');
  expect(await site.read('.media-asset/build.json')).toBe(notes);
  expect((await stat(site.path('.media-asset/ledger-a.json'))).ino).toBe(ledger.ino);
  expect(service.usages()).toEqual([]);
});

test('a page that looks different is named, with what it had', async () => {
  // Astro doesn't crop it.
  const { run } = await openSite(
    pageWith(
      '<Image src={quay} alt="A quay" width={400} height={200} layout="none" fit="contain" />',
    ),
  );
  const { stdout, output } = await run();
  expect(output).toContain('1 file compared with the build before.');
  expect(stdout).toMatch(
    /^differs {2}index\.html {2}images: "A quay", 400 × \d+ → "A quay", \d+ × \d+$/m,
  );
});

test('a site that no longer builds gets its sources back, and the reason', async () => {
  const { service, git, run, uploads } = await openSite(
    pageWith('<Image src={quay} alt="A quay" width={400} />'),
  );
  await service.setFaults([{ kind: 'status', status: 404, call: 'original' }]);
  const { exitCode, output } = await run();
  expect([exitCode, output]).toEqual([1, expect.stringContaining('import-build-failed')]);
  expect(output).toContain('the sources are as they were');
  expect(output).toContain('4712');
  expect(git('status', '--porcelain', 'src')).toBe('');
  expect(uploads()).toBe(1);
});

test('a site that doesn’t build before changes nothing, here and in the service', async () => {
  const broken = "throw new Error('The mole is closed.');\n";
  const { git, run, uploads } = await openSite(
    pageWith('<Image src={quay} alt="A quay" width={400} />', broken),
  );
  const { exitCode, output } = await run();
  expect([exitCode, output]).toEqual([1, expect.stringContaining('The mole is closed.')]);
  expect(git('status', '--porcelain', 'src')).toBe('');
  expect(uploads()).toBe(0);
});

test('a file that isn’t in Git as it is stops the import, unless a person insists', async () => {
  const page = pageWith('<Image src={quay} alt="A quay" width={400} />');
  const { site, run, uploads } = await openSite(page);
  await site.write(index, `${page}\n`);
  const refused = await run('--no-check');
  expect([refused.exitCode, refused.output]).toEqual([1, expect.stringContaining(index)]);
  expect(refused.output).toContain('import-unclean');
  expect(uploads()).toBe(0);
  expect((await run('--no-check', '--force')).exitCode).toBe(0);
  expect(await site.read(index)).toContain('<MediaAsset');
});
