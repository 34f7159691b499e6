import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type BuildRules, readBuildRules, writeBuildRules } from '../../src/usage/build-rules.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

const startedAt = '2026-03-01T08:00:00.000Z';
const rules: BuildRules = {
  version: 1,
  site: 'https://www.example.org',
  base: '/docs',
  format: 'directory',
  trailingSlash: 'always',
  exclude: ['/drafts/**'],
  service: 'https://media.example.org/api',
  project: 'Harbour museum',
  contact: 'Ada',
  description: '',
};

describe('the rules that a build leaves', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await temporaryFolder('build-rules');
    path = join(folder, '.media-asset', 'build.json');
  });

  test('are read as they were written, even into a new folder', async () => {
    expect(await readBuildRules(path)).toBeUndefined();
    const { service: _, ...withoutService } = rules;
    const witness = { kind: 'read', history: 'h', build: 'b1', startedAt } as const;
    for (const one of [
      rules,
      { ...rules, assetsPrefix: 'https://cdn.example' },
      { ...rules, witness },
      { ...rules, witness: { kind: 'unread', problem: 'status 404' } as const },
      withoutService,
    ]) {
      await writeBuildRules(path, one);
      expect(await readBuildRules(path)).toEqual(one);
    }
  });

  test('are JSON for people, and leave no temporary file', async () => {
    await writeBuildRules(path, rules);
    expect(await readFile(path, 'utf8')).toMatch(/^\{\n {2}"version": 1,\n[\s\S]*\n\}\n$/);
    expect(await readdir(join(folder, '.media-asset'))).toEqual(['build.json']);
  });

  test('hold no credentials of the service', async () => {
    const service = 'https://ada:secret@media.example.org/api/?token=secret#secret';
    await writeBuildRules(path, { ...rules, service });
    expect(await readFile(path, 'utf8')).not.toMatch(/secret|ada/);
    expect(await readBuildRules(path)).toEqual(rules);
  });

  test.each([
    ['invalid JSON', '{ "version": 1,', /build\.json couldn't be read: .*JSON/],
    ['an empty file', '', /build\.json/],
    ['another type', '[]', /top level: /],
    ['a newer version', JSON.stringify({ ...rules, version: 2 }), /version: expected version 1/],
    ['a missing key', JSON.stringify({ ...rules, site: undefined }), /site: /],
    ['wrong values', JSON.stringify({ ...rules, format: 1, exclude: 1 }), /format: /],
  ])('are an error with its own code if they are broken: %s', async (_, text, message) => {
    await mkdir(join(folder, '.media-asset'));
    await writeFile(path, text);
    await expect(readBuildRules(path)).rejects.toMatchObject({
      code: 'rules-broken',
      message: expect.stringMatching(message),
      cause: expect.anything(),
    });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  test("are an error with its own code if they can't be read or written", async () => {
    await mkdir(path, { recursive: true });
    await expect(readBuildRules(path)).rejects.toMatchObject({ code: 'rules-broken' });
    await writeFile(join(folder, 'file'), '');
    const written = writeBuildRules(join(folder, 'file', 'below', 'build.json'), rules);
    const problem = { code: 'file-unwritable', cause: { code: 'ENOTDIR' } };
    await expect(written).rejects.toMatchObject(problem);
  });
});
